import { useAtomValue } from 'jotai';
import { viewerAtom } from '../state/viewer';
import styles from './bet-slip.module.scss';
import { SlipSheet } from './slip-sheet';

type BetSlipProps = { onClose?: () => void };

/** Spec §2.5: the bet slip, as a panel of any page and on the page of one's own bets. */
export function BetSlip({ onClose }: BetSlipProps) {
  const viewer = useAtomValue(viewerAtom);
  if (viewer.kind !== 'unknown') return <SlipSheet viewer={viewer} {...(onClose && { onClose })} />;
  return (
    <p className={styles.word} role="status">
      Loading…
    </p>
  );
}
