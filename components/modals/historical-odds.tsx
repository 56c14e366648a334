import { useCallback } from 'react';
import { selectionCharts } from '@/lib/fixtures/rules';
import type { PriceHistory, SelectionHistory } from '@/lib/fixtures/schema';
import { formatDate, formatOdds } from '@/lib/format';
import { PriceChart } from '../odds/price-chart';
import { api } from '../state/api';
import type { ModalProps } from '../state/modals';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { Fetched } from './fetched';
import styles from './historical-odds.module.scss';
import { timeTitle, type Formats } from '../formats/formats';
import { formatsNow } from './formats';

type Changes = PriceHistory['series'][number]['changes'];

/** The moment of the price that a tip took: the last one of its bookmaker until then. */
function takenChange(
  bookmakerName: string,
  changes: Changes,
  taken: NonNullable<ModalProps['historical odds']['taken']>,
): string | null {
  if (bookmakerName !== taken.bookmakerName) return null;
  return (
    changes.findLast(({ at, price }) => at <= taken.at && price?.oddsThousandths === taken.oddsThousandths)?.at ?? null
  );
}

/** Every price of a selection: its chart, and the table by bookmaker that the chart is drawn from. */
export function HistoricalOdds({ fixtureReference, selectionId, purpose, taken }: ModalProps['historical odds']) {
  const load = useCallback(
    async (signal: AbortSignal) => {
      const [odds, formats] = await Promise.all([
        api('GET /odds-history/{reference}/{selection}', {
          params: { reference: fixtureReference, selection: selectionId },
          query: { purpose },
          signal,
        }),
        formatsNow(),
      ]);
      return { odds, formats };
    },
    [fixtureReference, selectionId, purpose],
  );
  return <Fetched load={load}>{({ odds, formats }) => <History {...odds} {...formats} taken={taken} />}</Fetched>;
}

type HistoryProps = SelectionHistory & Formats & { taken: ModalProps['historical odds']['taken'] };

function History({ marketName, selectionName, history, timeZone, timeZoneName, oddsDisplay, taken }: HistoryProps) {
  const [chart] = selectionCharts(history);
  const hasMoved = history.series.some(({ changes }) => changes.length > 1);
  if (!chart) return <p>Nobody has offered a price for {selectionName} yet.</p>;
  return (
    <div className={styles.history}>
      <p>
        {selectionName}, {marketName}. Times are {timeTitle({ timeZone, timeZoneName })}.
      </p>
      {hasMoved && (
        <>
          <PriceChart
            chart={chart}
            display={oddsDisplay}
            timeZone={timeZone}
            taken={taken && { time: Date.parse(taken.at), oddsThousandths: taken.oddsThousandths }}
          />
          <p className={styles.legend}>
            Thick line: the best price on offer. Thin lines: each bookmaker.
            {taken && ' The ring: the price that the tip took.'}
          </p>
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
                  <Time dateTime={timeKnown ? at : at.slice(0, 10)}>
                    {closing && !timeKnown
                      ? 'At the start'
                      : formatDate(at, { timeZone, style: timeKnown ? 'day-time' : 'day' })}
                  </Time>
                </td>
                <td>
                  {price ? formatOdds(price, oddsDisplay) : 'withdrawn'}
                  {closing && <span className={styles.closing}> closing</span>}
                  {taken && takenChange(bookmakerName, changes, taken) === at && (
                    <strong className={styles.taken}> taken by the tip</strong>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        ))}
      </Table>
    </div>
  );
}
