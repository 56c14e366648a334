import { routes } from '@/lib/routes';
import { Island } from '../islands/island';
import { ButtonLink } from '../ui/button-link';
import styles from './follow-button.module.scss';

type FollowButtonProps = { portfolioReference: string; name: string };

/** A place where a tipster can be followed: for a guest the way to the login, and back; a member's control once the browser knows them. */
export function FollowButton({ portfolioReference, name }: FollowButtonProps) {
  return (
    <span className={styles.follow}>
      <Island name="follow" props={{ portfolioReference, name }} as="span">
        <ButtonLink
          href={routes.login({ redirect_to: routes.portfolio(portfolioReference), follow: portfolioReference })}
          look="secondary"
          size="small"
          data-modal="login"
          data-follow={portfolioReference}
          data-name={name}
          aria-label={`Follow ${name}`}
        >
          Follow
        </ButtonLink>
      </Island>
    </span>
  );
}
