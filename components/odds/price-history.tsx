import { formatDate, formatNumber } from '@/lib/format';
import { type SelectionChart, selectionCharts } from '@/lib/fixtures/rules';
import type { PriceHistory } from '@/lib/fixtures/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { PriceChart } from './price-chart';
import { Odds } from '../formats/odds';
import styles from './price-history.module.scss';

type PriceHistoryProps = {
  marketName: string;
  history: PriceHistory;
  display: OddsDisplay;
  timeZone: string;
  /** The page with every price; null when they are all here. */
  everyPriceHref: string | null;
};

// Ours: charts that stand beside a grid; a field of runners has dozens.
const mostCharts = 6;
const sidesAndDraw = 3;

const lastOf = ({ best }: SelectionChart) => best.at(-1)?.oddsThousandths ?? Infinity;

/** How the prices of a market moved: a chart for each selection, and the table that it is drawn from or the way to it. */
export function PriceHistorySection({ marketName, history, display, timeZone, everyPriceHref }: PriceHistoryProps) {
  const rows = history.series
    .flatMap(({ selectionId, selectionName, bookmakerId, bookmakerName, changes }) =>
      changes.map((change) => ({
        key: `${selectionId}-${bookmakerId}-${change.at}`,
        selectionName,
        bookmakerName,
        ...change,
      })),
    )
    .toSorted((a, b) => b.at.localeCompare(a.at));
  // As the grid has them: home, draw, away; a field by its prices, the shortest first.
  const all = selectionCharts(history);
  const charts = all.length <= sidesAndDraw ? all : all.toSorted((a, b) => lastOf(a) - lastOf(b));
  const shown = everyPriceHref === null ? charts : charts.slice(0, mostCharts);
  return (
    <div>
      {history.series.some(({ changes }) => changes.length > 1) && (
        <>
          <div className={styles.charts}>
            {shown.map((chart) => (
              <PriceChart key={chart.selectionId} chart={chart} display={display} timeZone={timeZone} />
            ))}
          </div>
          <p className={styles.legend}>
            Thick line: the best price on offer. Thin lines: each bookmaker.
            {shown.length < charts.length &&
              ` Shown: the ${shown.length} selections with the shortest prices, of ${charts.length}.`}
          </p>
        </>
      )}
      {everyPriceHref === null ? (
        <Table caption={`Price history: ${marketName}`} captionHidden narrow="stack">
          <thead>
            <tr>
              <th scope="col">Selection</th>
              <FigureHead term="price-movement">Price</FigureHead>
              <th scope="col">Bookmaker</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, at, timeKnown, bookmakerName, selectionName, price, closing }) => (
              <tr key={key}>
                <th scope="row">{selectionName}</th>
                <FigureCell data-label="Price">
                  {price ? <Odds price={price} display={display} /> : 'withdrawn'}
                  {closing && <span className={styles.closing}> closing</span>}
                </FigureCell>
                <td data-label="Bookmaker">{bookmakerName}</td>
                <td>
                  <Time dateTime={timeKnown ? at : at.slice(0, 10)}>
                    {closing && !timeKnown ? (
                      'At the start'
                    ) : (
                      <span data-date={timeKnown ? 'day-time' : undefined}>
                        {formatDate(at, { timeZone, style: timeKnown ? 'day-time' : 'day' })}
                      </span>
                    )}
                  </Time>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      ) : (
        <SiteLink href={everyPriceHref} className={styles.everyPrice}>
          All {formatNumber(rows.length)} prices: {marketName.charAt(0).toLowerCase()}
          {marketName.slice(1)}
        </SiteLink>
      )}
    </div>
  );
}
