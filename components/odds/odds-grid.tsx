import { formatOdds, formatPercent, priceName } from '@/lib/format';
import {
  cellKey,
  type GridBasis,
  type GridCell,
  type GridColumn,
  offeredBy,
  type OddsGrid,
} from '@/lib/fixtures/rules';
import type { Movement } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { SlipButton } from '../bet-slip/slip-button';
import { marketMark, selectionMark } from '../bet-slip/slip-marks';
import { NoPrice } from '../ui/no-price';
import { Table } from '../ui/table';
import { VisuallyHidden } from '../ui/visually-hidden';
import { Term } from '../ui/term';
import { Odds } from '../formats/odds';
import styles from './odds-grid.module.scss';

/** Where the price history of the market stands, and of which fixture it is. */
type HistoryPlace = { href: string; fixtureReference: string };

type OddsGridProps = {
  caption: string;
  grid: OddsGrid;
  display: OddsDisplay;
  history?: HistoryPlace | undefined;
  moved?: ReadonlyMap<string, Movement>;
};

const arrows = { shorter: '▼', longer: '▲', same: '=' };
const movements = { shorter: 'shortened', longer: 'drifted', same: 'unchanged' };

const justNow = { shorter: '▼', longer: '▲', same: '•' };
const justNowWords = { shorter: 'just shortened', longer: 'just drifted', same: 'just changed' };

/** Bookmakers across, selections down; `moved` are the cells whose price changed a moment ago, by `cellKey`; the best price of a row is double-underlined, and said to those who cannot see it. */
export function OddsGridTable({ caption, grid, display, history, moved }: OddsGridProps) {
  return (
    <Table caption={caption} captionHidden stickyFirstColumn>
      <thead className={styles.head}>
        <tr>
          <th scope="col">Selection</th>
          <th scope="col" className={styles.figure}>
            Best
          </th>
          {grid.columns.map(({ bookmaker }) => (
            <th key={bookmaker.id} scope="col" className={styles.figure}>
              {bookmaker.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {grid.rows.map((row) => (
          <tr key={row.selectionId} {...selectionMark(row.name)} {...marketMark(row.marketName)}>
            <th scope="row" className={styles.selection}>
              {history ? <HistoryLink {...history} selectionId={row.selectionId} name={row.name} /> : row.name}
            </th>
            <td className={styles.figure} title={row.best?.bookmakers.join(', ')}>
              {row.best ? (
                <>
                  <strong>
                    <OfferedPrice
                      price={row.best.price}
                      pulled={false}
                      display={display}
                      offer={grid.basis === 'now' ? offerOf(row, row.best) : null}
                    />
                  </strong>
                  <span className={styles.book}>{offeredBy(row.best.bookmakers)}</span>
                </>
              ) : (
                <NoPrice />
              )}
            </td>
            {row.cells.map((cell, index) => {
              const bookmakerId = grid.columns[index]?.bookmaker.id ?? 0;
              const way = moved?.get(cellKey(row.selectionId, bookmakerId));
              return (
                <td key={bookmakerId} className={styles.figure} {...(way && { 'data-moved': way })}>
                  {way && <JustMoved way={way} />}
                  {cell ? (
                    <Cell
                      cell={cell}
                      basis={grid.basis}
                      display={display}
                      row={row}
                      bookmaker={grid.columns[index]?.bookmaker}
                    />
                  ) : (
                    <NoPrice />
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
      <tfoot className={styles.foot}>
        <tr>
          <th scope="row">
            <Term of="overround">Overround</Term>
          </th>
          <td className={styles.figure}>
            {grid.bestOverroundPercent === null ? '–' : formatPercent(grid.bestOverroundPercent)}
          </td>
          {grid.columns.map(({ bookmaker, overroundPercent }) => (
            <td key={bookmaker.id} className={styles.figure}>
              {overroundPercent === null ? '–' : formatPercent(overroundPercent)}
            </td>
          ))}
        </tr>
      </tfoot>
    </Table>
  );
}

/** Leads to the price history on the page; where the modal is there for the viewer, it opens instead. */
function HistoryLink({
  href,
  fixtureReference,
  selectionId,
  name,
}: HistoryPlace & { selectionId: number; name: string }) {
  return (
    <a
      href={href}
      data-modal="historical odds"
      data-fixture={fixtureReference}
      data-selection={selectionId}
      data-event="price-history"
    >
      {name}
      <VisuallyHidden>, price history</VisuallyHidden>
    </a>
  );
}

/** Says, before a price, which way it moved a moment ago. */
export function JustMoved({ way }: { way: Movement }) {
  return (
    <>
      <span aria-hidden="true" className={[styles.arrow, styles.justNow].join(' ')}>
        {justNow[way]}
      </span>
      <VisuallyHidden>{justNowWords[way]}: </VisuallyHidden>
    </>
  );
}

type CellProps = {
  cell: GridCell;
  basis: GridBasis;
  display: OddsDisplay;
  row: OddsGrid['rows'][number];
  bookmaker: GridColumn['bookmaker'] | undefined;
};

function Cell({ cell, basis, display, row: { selectionId, name }, bookmaker }: CellProps) {
  const { main, isBest, other, isOtherBest, moved, pulled } = cell;
  const isMoved = main !== null && moved !== 'same';
  const offered = main && (
    <OfferedPrice
      price={main}
      pulled={pulled}
      display={display}
      offer={basis === 'now' && bookmaker ? { selectionId, name, bookmaker } : null}
    />
  );
  // What React reads repeats every element of hundreds of cells: none stands there for nothing.
  return (
    <>
      {offered && (isBest || pulled) ? (
        <span className={isBest ? styles.best : styles.pulled}>
          {offered}
          {isBest && <VisuallyHidden> (best price)</VisuallyHidden>}
          {pulled && <VisuallyHidden> (withdrawn)</VisuallyHidden>}
        </span>
      ) : (
        (offered ?? <NoPrice />)
      )}
      {other && (basis === 'pre-match' || isMoved) && (
        <span className={[styles.other, styles[moved]].join(' ')}>
          <VisuallyHidden>
            {basis === 'pre-match' ? `closing price, ${movements[moved]}: ` : `${movements[moved]} from `}
          </VisuallyHidden>
          {main && (
            <span aria-hidden="true" className={styles.arrow}>
              {arrows[moved]}
            </span>
          )}
          {isOtherBest ? (
            <span className={styles.otherBest}>
              <Odds price={other} display={display} />
            </span>
          ) : (
            <Odds price={other} display={display} />
          )}
          {isOtherBest && <VisuallyHidden> (best closing price)</VisuallyHidden>}
        </span>
      )}
    </>
  );
}

type Offer = { selectionId: number; name: string; bookmaker: { id: number; name: string } };

const offerOf = (
  { selectionId, name }: OddsGrid['rows'][number],
  { bookmakerId, bookmakers }: { bookmakerId: number; bookmakers: readonly string[] },
): Offer => ({ selectionId, name, bookmaker: { id: bookmakerId, name: bookmakers[0] ?? '' } });

type OfferedPriceProps = { price: Price; pulled: boolean; display: OddsDisplay; offer: Offer | null };

/** A price that can be put into the bet slip while it is on offer. */
function OfferedPrice({ price, pulled, display, offer }: OfferedPriceProps) {
  const odds = <Odds price={price} display={display} />;
  if (pulled) return <s>{odds}</s>;
  if (!offer) return odds;
  const { selectionId, name, bookmaker } = offer;
  return (
    <SlipButton
      selectionId={selectionId}
      bookmaker={bookmaker}
      label={priceName(name, formatOdds(price, display), bookmaker.name)}
    >
      {odds}
    </SlipButton>
  );
}
