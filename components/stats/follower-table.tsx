import { formatPercent } from '@/lib/format';
import { followerMoments, type StatisticsView } from '@/lib/stats/schema';
import { Units } from '../ui/units';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';
import { Term } from '../ui/term';
import styles from './follower-table.module.scss';
import { followerWords } from './follower-words';

/** What followers could have had of a record: the same tips at the best prices on offer later, beside the tipster's own profit on them. */
export function FollowerTable({ followers }: Pick<StatisticsView, 'followers'>) {
  const isEmpty = followerMoments.every((moment) => followers[moment].tips === 0);
  return (
    <>
      <p className={styles.lead}>
        Nobody bets the second a tip appears. These are the same tips at the best price later on, with how often the
        tipster’s price was still there. <Term of="followers-prices">How followers’ prices are counted</Term>
      </p>
      {isEmpty ? (
        <p>No tip settled in this period had a price on offer after it was published.</p>
      ) : (
        <Moments followers={followers} />
      )}
    </>
  );
}

function Moments({ followers }: Pick<StatisticsView, 'followers'>) {
  return (
    <Table caption="At followers’ prices, in units at advised stakes" captionHidden narrow="stack">
      <thead>
        <tr>
          <th scope="col">Bet placed</th>
          <FigureHead term="followers-prices">Price still there</FigureHead>
          <FigureHead>Followers</FigureHead>
          <FigureHead>Tipster, same tips</FigureHead>
        </tr>
      </thead>
      <tbody>
        {followerMoments.map((moment) => {
          const { tips, stillThere, stillTherePercent, advised } = followers[moment];
          return (
            <tr key={moment}>
              <th scope="row">{followerWords[moment]}</th>
              <FigureCell data-label="Price still there">
                {stillTherePercent === null ? '–' : formatPercent(stillTherePercent)}
                <span className={styles.basis}>
                  {stillThere} of {tips} tips
                </span>
              </FigureCell>
              <FigureCell data-label="Followers">
                <Result tips={tips} hundredths={advised.profitHundredths} yieldPercent={advised.yieldPercent} />
              </FigureCell>
              <FigureCell data-label="Tipster, same tips">
                <Result tips={tips} hundredths={advised.ownProfitHundredths} yieldPercent={advised.ownYieldPercent} />
              </FigureCell>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function Result({
  tips,
  hundredths,
  yieldPercent,
}: {
  tips: number;
  hundredths: number | string;
  yieldPercent: number | null;
}) {
  if (tips === 0) return '–';
  return (
    <>
      <Units hundredths={hundredths} />
      {yieldPercent !== null && (
        <span className={styles.basis}>{formatPercent(yieldPercent, { sign: true })} yield</span>
      )}
    </>
  );
}
