import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { SiteLink } from '../ui/site-link';
import styles from './bet-slip.module.scss';

/** What a slip without selections says: how to fill it. */
export function SlipEmpty({ hasPlaced, onClose }: { hasPlaced: boolean; onClose?: () => void }) {
  return (
    <>
      <p className={styles.word}>
        {hasPlaced ? 'Your slip is empty again.' : 'Your slip is empty.'} Press a price on a{' '}
        <SiteLink href={routes.fixtures()}>fixture</SiteLink> to add it. Your slip is kept on this device, offline too.
      </p>
      {onClose && (
        <div className={styles.actions}>
          <Button look="secondary" onClick={onClose}>
            Close
          </Button>
        </div>
      )}
    </>
  );
}
