import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { SiteLink } from '../ui/site-link';
import styles from './bet-slip.module.scss';

/** What a slip without selections says: how to fill it. */
export function SlipEmpty({ hasPlaced, onClose }: { hasPlaced: boolean; onClose?: () => void }) {
  return (
    <>
      <p className={styles.word}>
        {hasPlaced ? 'The slip is empty again.' : 'The slip is empty.'} Press a price on the page of a{' '}
        <SiteLink href={routes.fixtures()}>fixture</SiteLink> to put it in; it is kept on this device, with or without a
        connection.
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
