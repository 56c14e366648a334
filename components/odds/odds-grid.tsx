import { formatOdds, formatPercent } from '@/lib/format';
import type { GridBasis, GridCell, OddsGrid } from '@/lib/fixtures/rules/odds-grid';
import type { OddsDisplay } from '@/lib/reference/schema/enumerations';
import { Table } from '../ui/table';
import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './odds-grid.module.scss';

/** Where the price history of the market stands, and of which fixture it is. */
type HistoryPlace = { href: string; fixtureReference: string };

type OddsGridProps = { caption: string; grid: OddsGrid; display: OddsDisplay; history?: HistoryPlace | undefined };

const arrows = { shorter: '▼', longer: '▲', same: '=' };
const movements = { shorter: 'shortened', longer: 'drifted', same: 'unchanged' };

/** Bookmakers across, selections down; the best price of a row is double-underlined, and said to those who cannot see it. */
export function OddsGridTable({ caption, grid, display, history }: OddsGridProps) {
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
          <tr key={row.selectionId}>
            <th scope="row" className={styles.selection}>
              {history ? <HistoryLink {...history} selectionId={row.selectionId} name={row.name} /> : row.name}
            </th>
            <td className={styles.figure} title={row.best?.bookmakers.join(', ')}>
              {row.best ? <strong>{formatOdds(row.best.price, display)}</strong> : <NoPrice />}
            </td>
            {row.cells.map((cell, index) => (
              <td key={grid.columns[index]?.bookmaker.id} className={styles.figure}>
                {cell ? <Cell cell={cell} basis={grid.basis} display={display} /> : <NoPrice />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot className={styles.foot}>
        <tr>
          <th scope="row">
            <abbr title="By how much the prices together exceed a fair book">Overround</abbr>
          </th>
          <td className={styles.figure}>{grid.bestOverroundPercent === null ? '–' : formatPercent(grid.bestOverroundPercent)}</td>
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
function HistoryLink({ href, fixtureReference, selectionId, name }: HistoryPlace & { selectionId: number; name: string }) {
  return (
    <a href={href} data-modal="historical odds" data-fixture={fixtureReference} data-selection={selectionId} data-event="price-history">
      {name}
      <VisuallyHidden>, price history</VisuallyHidden>
    </a>
  );
}

function NoPrice() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>no price</VisuallyHidden>
    </>
  );
}

function Cell({ cell, basis, display }: { cell: GridCell; basis: GridBasis; display: OddsDisplay }) {
  const { main, isBest, other, isOtherBest, moved, pulled } = cell;
  const isMoved = main !== null && moved !== 'same';
  return (
    <>
      {main ? (
        <span className={isBest ? styles.best : pulled ? styles.pulled : undefined}>
          {pulled ? <s>{formatOdds(main, display)}</s> : formatOdds(main, display)}
          {isBest && <VisuallyHidden> (best price)</VisuallyHidden>}
          {pulled && <VisuallyHidden> (withdrawn)</VisuallyHidden>}
        </span>
      ) : (
        <NoPrice />
      )}
      {other && (basis === 'pre-match' || isMoved) && (
        <span className={[styles.other, styles[moved]].join(' ')}>
          <VisuallyHidden>{basis === 'pre-match' ? `closing price, ${movements[moved]}: ` : `${movements[moved]} from `}</VisuallyHidden>
          {main && (
            <span aria-hidden="true" className={styles.arrow}>
              {arrows[moved]}
            </span>
          )}
          <span className={isOtherBest ? styles.otherBest : undefined}>{formatOdds(other, display)}</span>
          {isOtherBest && <VisuallyHidden> (best closing price)</VisuallyHidden>}
        </span>
      )}
    </>
  );
}
