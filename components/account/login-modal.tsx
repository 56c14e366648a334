import { routes } from '@/lib/routes';
import { SiteLink } from '../ui/site-link';
import { LoginForm } from './login-form';

/** The login over the page that one is on, with the way to an account for whoever has none. */
export function LoginModal() {
  return (
    <>
      <LoginForm />
      <p>
        New here? <SiteLink href={routes.register()}>Sign up</SiteLink>
      </p>
    </>
  );
}
