import { formatPercent } from '@/lib/format';
import type { StatisticsView } from '@/lib/stats/schema';
import { Badge } from '../ui/badge';
import { Term } from '../ui/term';
import styles from './judgement.module.scss';

const rarely = 0.001;

function chance(probability: number): string {
  return probability < rarely ? 'less than one time in a thousand' : `${formatPercent(probability * 100)} of the time`;
}

/** What the numbers can and cannot say: whether there are enough tips to judge, and how often luck alone would do as well. */
export function Judgement({ statistics }: { statistics: StatisticsView }) {
  const luck = statistics.advised.luckProbability;
  if (statistics.tips === 0) return null;
  return (
    <p className={styles.judgement}>
      {statistics.tooFew && (
        <Term of="sample-size">
          <Badge tone="notice">Too few to judge</Badge>
        </Term>
      )}{' '}
      {luck && (
        <>
          <Term of="p-value">Luck alone</Term>, at <Term of="fair-odds">fair odds</Term>, would do at least as well{' '}
          {chance(luck.value)} over {luck.count} tips.
        </>
      )}
    </p>
  );
}
