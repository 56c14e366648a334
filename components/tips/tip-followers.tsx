import type { OddsDisplay } from '@/lib/reference/schema';
import type { TipFollower } from '@/lib/tips/schema';
import { Units } from '../ui/units';
import { followerWords } from '../stats/follower-words';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Table } from '../ui/table';
import { Term } from '../ui/term';
import { Moment } from '../formats/moment';
import { TotalOdds } from '../formats/total-odds';
import styles from './tip-followers.module.scss';

type TipFollowersProps = { followers: readonly TipFollower[]; timeZone: string; oddsDisplay: OddsDisplay };

/** What followers had of a settled tip: the best price on offer at each moment, whether the price taken was still there, and the profit at it. */
export function TipFollowers({ followers, timeZone, oddsDisplay }: TipFollowersProps) {
  return (
    <>
      <Table caption="What followers had of this tip" captionHidden narrow="stack">
        <thead>
          <tr>
            <th scope="col">Bet placed</th>
            <FigureHead>Best price</FigureHead>
            <th scope="col">Price still there</th>
            <FigureHead>Profit</FigureHead>
          </tr>
        </thead>
        <tbody>
          {followers.map(({ moment, at, totalOddsThousandths, stillThere, profitHundredths }) => (
            <tr key={moment}>
              <th scope="row">
                {followerWords[moment]}
                {at && (
                  <span className={styles.at}>
                    <Moment at={at} style="day-time" timeZone={timeZone} />
                  </span>
                )}
              </th>
              <FigureCell data-label="Best price">
                {totalOddsThousandths === null ? (
                  'None'
                ) : (
                  <TotalOdds thousandths={totalOddsThousandths} display={oddsDisplay} />
                )}
              </FigureCell>
              <td data-label="Price still there">{stillThere === null ? '–' : stillThere ? 'Yes' : 'No, shorter'}</td>
              <FigureCell data-label="Profit">
                {profitHundredths === null ? '–' : <Units hundredths={profitHundredths} />}
              </FigureCell>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className={styles.note}>
        The best price that any bookmaker on this site offered at that time. “None” means that there was no price, or
        that the event had started. <Term of="followers-prices">How followers’ prices are counted</Term>
      </p>
    </>
  );
}
