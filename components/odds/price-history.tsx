import { formatDate } from '@/lib/format';
import { selectionCharts } from '@/lib/fixtures/rules/price-chart';
import type { PriceHistory } from '@/lib/fixtures/schema';
import type { OddsDisplay } from '@/lib/reference/schema/enumerations';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { PriceChart } from './price-chart';
import { Odds } from '../viewing/odds';
import styles from './price-history.module.scss';

type PriceHistoryProps = { marketName: string; history: PriceHistory; display: OddsDisplay; timeZone: string };

/** How the prices of a market moved: a chart for each selection and the table that it is drawn from. */
export function PriceHistorySection({ marketName, history, display, timeZone }: PriceHistoryProps) {
  const rows = history.series
    .flatMap(({ selectionId, selectionName, bookmakerId, bookmakerName, changes }) =>
      changes.map((change) => ({ key: `${selectionId}-${bookmakerId}-${change.at}`, selectionName, bookmakerName, ...change })),
    )
    .toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <div>
      {history.series.some(({ changes }) => changes.length > 1) && (
        <>
          <div className={styles.charts}>
            {selectionCharts(history).map((chart) => (
              <PriceChart key={chart.selectionId} chart={chart} display={display} timeZone={timeZone} />
            ))}
          </div>
          <p className={styles.legend}>Thick line: the best price on offer. Thin lines: each bookmaker.</p>
        </>
      )}
      <details className={styles.details}>
        <summary>
          Every price of {marketName.charAt(0).toLowerCase()}
          {marketName.slice(1)} ({rows.length})
        </summary>
        <Table caption={`Price history: ${marketName}`} captionHidden>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Bookmaker</th>
              <th scope="col">Selection</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, at, timeKnown, bookmakerName, selectionName, price, closing }) => (
              <tr key={key}>
                <td>
                  <Time dateTime={timeKnown ? at : at.slice(0, 10)}>
                    {closing && !timeKnown ? 'At the start' : <span data-date={timeKnown ? 'day-time' : undefined}>{formatDate(at, { timeZone, style: timeKnown ? 'day-time' : 'day' })}</span>}
                  </Time>
                </td>
                <td>{bookmakerName}</td>
                <td>{selectionName}</td>
                <td>
                  {price ? <Odds price={price} display={display} /> : 'withdrawn'}
                  {closing && <span className={styles.closing}> closing</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </div>
  );
}
