import { useAtomValue } from 'jotai';
import { routes } from '@/lib/routes';
import { viewerAtom } from '../state/viewer';
import { SiteLink } from '../ui/site-link';
import styles from './bet-slip.module.scss';
import { SlipSheet } from './slip-sheet';

type BetSlipProps = { onClose?: () => void };

/** Spec §2.5: the bet slip, as the modal of tipsters and on the page of one's own bets. */
export function BetSlip({ onClose }: BetSlipProps) {
  const viewer = useAtomValue(viewerAtom);
  if (viewer.kind === 'member') return <SlipSheet viewer={viewer} {...(onClose && { onClose })} />;
  if (viewer.kind === 'unknown') {
    return (
      <p className={styles.word} role="status">
        Loading…
      </p>
    );
  }
  return (
    <p className={styles.word}>
      Your slip is kept on this device. <SiteLink href={routes.login({ redirect_to: routes.bets() })}>Log in</SiteLink>{' '}
      to place it.
    </p>
  );
}
