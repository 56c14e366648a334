import { routes } from '@/lib/routes';
import { Island } from '../islands/island';
import { ButtonLink } from '../ui/button-link';

/** Spec §2.1: login and sign-up for guests, in whose place the browser puts a member's options. */
export function UserOptions() {
  return (
    <Island name="account" props={{}} as="span">
      <ButtonLink href={routes.login()} look="quiet" size="small" data-modal="login">
        Log in
      </ButtonLink>
      <ButtonLink href={routes.register()} size="small">
        Sign up
      </ButtonLink>
    </Island>
  );
}
