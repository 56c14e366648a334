import { useCallback } from 'react';
import { selectionCharts } from '@/lib/fixtures/rules/price-chart';
import type { PriceHistory } from '@/lib/fixtures/schema';
import { formatDate, formatOdds } from '@/lib/format';
import { PriceChart } from '../odds/price-chart';
import { api } from '../state/api';
import type { ModalProps } from '../state/modals';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { Fetched } from './fetched';
import styles from './historical-odds.module.scss';
import { type Viewing, viewingNow } from './viewing';

type OddsHistory = { marketName: string; selectionName: string; history: PriceHistory };

/** Every price of a selection: its chart, and the table by bookmaker that the chart is drawn from. */
export function HistoricalOdds({ fixtureReference, selectionId }: ModalProps['historical odds']) {
  const load = useCallback(
    async (signal: AbortSignal) => {
      const [odds, viewing] = await Promise.all([api<OddsHistory>(`/odds-history/${fixtureReference}/${selectionId}`, { signal }), viewingNow()]);
      return { odds, viewing };
    },
    [fixtureReference, selectionId],
  );
  return <Fetched load={load}>{({ odds, viewing }) => <History {...odds} {...viewing} />}</Fetched>;
}

function History({ marketName, selectionName, history, timeZone, timeZoneName, oddsDisplay }: OddsHistory & Viewing) {
  const [chart] = selectionCharts(history);
  const hasMoved = history.series.some(({ changes }) => changes.length > 1);
  if (!chart) return <p>Nobody has offered a price for {selectionName} yet.</p>;
  return (
    <div className={styles.history}>
      <p>
        {selectionName}, {marketName}. Times are those of {timeZoneName}.
      </p>
      {hasMoved && (
        <>
          <PriceChart chart={chart} display={oddsDisplay} timeZone={timeZone} />
          <p className={styles.legend}>Thick line: the best price on offer. Thin lines: each bookmaker.</p>
        </>
      )}
      <Table caption={`Prices of ${selectionName} by bookmaker, newest first`} captionHidden>
        <thead>
          <tr>
            <th scope="col">Bookmaker</th>
            <th scope="col">When</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        {history.series.map(({ bookmakerId, bookmakerName, changes }) => (
          <tbody key={bookmakerId}>
            {changes.toReversed().map(({ at, timeKnown, price, closing }, index) => (
              <tr key={at}>
                {index === 0 && (
                  <th scope="rowgroup" rowSpan={changes.length} className={styles.bookmaker}>
                    {bookmakerName}
                  </th>
                )}
                <td>
                  <Time dateTime={timeKnown ? at : at.slice(0, 10)}>{closing && !timeKnown ? 'At the start' : formatDate(at, { timeZone, style: timeKnown ? 'day-time' : 'day' })}</Time>
                </td>
                <td>
                  {price ? formatOdds(price, oddsDisplay) : 'withdrawn'}
                  {closing && <span className={styles.closing}> closing</span>}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </Table>
    </div>
  );
}
