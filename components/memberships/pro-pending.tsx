import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { SiteLink } from '../ui/site-link';
import styles from './pro.module.scss';
import type { ProNow } from './use-pro';

/** Stands in a window of Pro until it is known where the member stands with it, and where it has ended or cannot be known. */
export function ProPending({ isOver, error, again }: Pick<ProNow, 'isOver' | 'error' | 'again'>) {
  if (isOver)
    return (
      <FormMessage kind="error">
        Your Tipledger Pro is not running. <SiteLink href={routes.pro()}>See Tipledger Pro</SiteLink>
      </FormMessage>
    );
  if (!error) return <p role="status">One moment…</p>;
  return (
    <>
      <FormMessage kind="error">
        {error.name === 'ApiError'
          ? error.message
          : 'Your team could not be loaded. Check your connection, then try again.'}
      </FormMessage>
      <div className={styles.ways}>
        <Button look="secondary" onClick={again}>
          Try again
        </Button>
      </div>
    </>
  );
}
