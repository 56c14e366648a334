import { formatCount, formatPercent, formatUnits } from '@/lib/format';
import type { StatisticsView } from '@/lib/stats/schema';
import { Units } from '../ui/units';
import { Term } from '../ui/term';
import { Moment } from '../formats/moment';
import styles from './balance.module.scss';

type BalanceProps = { statistics: StatisticsView; timeZone: string };

/** A record as a statement of account at advised stakes: what was staked, what was returned, what is left, over which tips and time. */
export function Balance({ statistics: { advised, tips, window }, timeZone }: BalanceProps) {
  const staked = Number(advised.turnoverHundredths);
  const profit = Number(advised.profitHundredths);
  return (
    <div className={styles.balance}>
      <p className={styles.figure}>
        <Units hundredths={profit} /> <span className={styles.unit}>units</span>
      </p>
      {advised.yieldPercent && (
        <p className={styles.yield}>
          <Term of="yield">Yield</Term> {formatPercent(advised.yieldPercent.value, { sign: true })} from{' '}
          {formatCount(tips, 'tip', 'tips')}, <Term of="advised-stakes">advised stakes</Term>
        </p>
      )}
      <dl className={styles.account}>
        <div>
          <dt>
            <Term of="turnover">Staked</Term>
          </dt>
          <dd>{formatUnits(staked)}</dd>
        </div>
        <div>
          <dt>Returned</dt>
          <dd>{formatUnits(staked + profit)}</dd>
        </div>
        <div className={styles.total}>
          <dt>{profit < 0 ? 'Lost' : 'Won'}</dt>
          <dd>{formatUnits(profit, { sign: true })}</dd>
        </div>
      </dl>
      {window && (
        <p className={styles.window}>
          <Moment at={window.from} style="day" timeZone={timeZone} /> to{' '}
          <Moment at={window.until} style="day" timeZone={timeZone} />
        </p>
      )}
    </div>
  );
}
