import type { OddsDisplay } from '@/lib/reference/schema';
import type { TipView } from '@/lib/tips/schema';
import styles from './tip-list.module.scss';
import { TipRow } from './tip-row';

type TipListProps = { tips: readonly TipView[]; timeZone: string; oddsDisplay: OddsDisplay; byline?: boolean };

/** Tips one below the other, in the order given; `byline` names each tip's portfolio. */
export function TipList({ tips, timeZone, oddsDisplay, byline = false }: TipListProps) {
  return (
    <ul className={styles.list}>
      {tips.map((tip) => (
        <TipRow key={tip.reference} tip={tip} timeZone={timeZone} oddsDisplay={oddsDisplay} byline={byline} />
      ))}
    </ul>
  );
}
