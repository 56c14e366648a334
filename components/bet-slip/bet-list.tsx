import type { BetView } from '@/lib/bets/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import styles from './bet-list.module.scss';
import { BetRow } from './bet-row';

type BetListProps = { bets: readonly BetView[]; timeZone: string; oddsDisplay: OddsDisplay; now: string };

/** Bets of one's own, the last placed first. */
export function BetList({ bets, ...formats }: BetListProps) {
  return (
    <ul className={styles.list}>
      {bets.map((bet) => (
        <BetRow key={bet.reference} bet={bet} {...formats} />
      ))}
    </ul>
  );
}
