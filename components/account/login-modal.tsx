import { useEffect } from 'react';
import { routes } from '@/lib/routes';
import { dropIntent, keepIntent } from '../state/after-login';
import type { ModalProps } from '../state/modals';
import { SiteLink } from '../ui/site-link';
import { LoginForm } from './login-form';

/** The login over the page that one is on, and back to it, with the way to an account for whoever has none. */
export function LoginModal({ redirectTo, intent }: ModalProps['login']) {
  // Kept from now on, also for whoever goes on to sign up; closing it says that it is not wanted.
  useEffect(() => {
    if (!intent) return undefined;
    void keepIntent(intent);
    return () => void dropIntent();
  }, [intent]);
  return (
    <>
      {intent?.kind === 'follow' && <p>Log in to follow {intent.name}.</p>}
      {intent?.kind === 'slip' && <p>Log in to record what is in your bet slip. It stays as it is.</p>}
      <LoginForm redirectTo={redirectTo} intent={intent} />
      <p>
        New here? <SiteLink href={routes.register({ redirect_to: redirectTo })}>Sign up</SiteLink>
      </p>
    </>
  );
}
