import { formatOdds, formatPercent } from '@/lib/format';
import type { GridCell, OddsGrid } from '@/lib/fixtures/rules/odds-grid';
import type { OddsDisplay } from '@/lib/reference/schema/enumerations';
import { Table } from '../ui/table';
import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './odds-grid.module.scss';

type OddsGridProps = { caption: string; grid: OddsGrid; started: boolean; display: OddsDisplay };

const arrows = { shorter: '▼', longer: '▲', same: '＝' };
const movements = { shorter: 'shortened', longer: 'drifted', same: 'unchanged' };

/** Bookmakers across, selections down; the best price of a row is boxed and double-underlined, and said to those who cannot see it. */
export function OddsGridTable({ caption, grid, started, display }: OddsGridProps) {
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
              {row.name}
            </th>
            <td className={styles.figure} title={row.best?.bookmakers.join(', ')}>
              {row.best ? <strong>{formatOdds(row.best.price, display)}</strong> : '–'}
            </td>
            {row.cells.map((cell, index) => (
              <td key={grid.columns[index]?.bookmaker.id} className={styles.figure}>
                {cell ? <Cell cell={cell} started={started} display={display} /> : <span aria-label="no price">–</span>}
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

function Cell({ cell, started, display }: { cell: GridCell; started: boolean; display: OddsDisplay }) {
  const { main, isBest, other, isOtherBest, moved, pulled } = cell;
  const price = formatOdds(main, display);
  return (
    <>
      <span className={isBest ? styles.best : pulled ? styles.pulled : undefined}>
        {pulled ? <s>{price}</s> : price}
        {isBest && <VisuallyHidden> (best price)</VisuallyHidden>}
        {pulled && <VisuallyHidden> (withdrawn)</VisuallyHidden>}
      </span>
      {other && (started || moved !== 'same') && (
        <span className={[styles.other, styles[moved]].join(' ')}>
          <VisuallyHidden>{started ? `closing price, ${movements[moved]}: ` : `${movements[moved]} from `}</VisuallyHidden>
          <span aria-hidden="true" className={styles.arrow}>
            {arrows[moved]}
          </span>
          <span className={isOtherBest ? styles.otherBest : undefined}>{formatOdds(other, display)}</span>
          {isOtherBest && <VisuallyHidden> (best closing price)</VisuallyHidden>}
        </span>
      )}
    </>
  );
}
