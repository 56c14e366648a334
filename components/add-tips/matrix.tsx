import { oddsGrid } from '@/lib/fixtures/rules';
import type { MarketView } from '@/lib/fixtures/schema';
import { formatPercent } from '@/lib/format';
import { VisuallyHidden } from '../ui/visually-hidden';
import { useDesk } from './desk-context';
import styles from './matrix.module.scss';
import { PriceButton } from './price-button';
import { Roving } from './roving';
import type { SelectorProps } from './selectors/selector';

/** Every bookmaker's price on every selection: bookmakers across, selections down, each price to choose. */
export function Matrix({ group: { markets } }: SelectorProps) {
  return markets.map((market) => <MarketMatrix key={market.id} market={market} hasName={markets.length > 1} />);
}

function MarketMatrix({ market, hasName }: { market: MarketView; hasName: boolean }) {
  const { view } = useDesk();
  const { columns, rows } = oddsGrid(market, view, false);
  const selections = new Map(market.selections.map((selection) => [selection.id, selection]));
  const cells = rows.flatMap((row, at) =>
    row.cells.flatMap((cell, column) => (cell && !cell.pulled ? [{ row: at, column }] : [])),
  );
  return (
    <div className={styles.market}>
      {hasName && <h3>{market.name}</h3>}
      <Roving cells={cells} className={styles.scroller}>
        <table role="grid" aria-label={`${market.name} at every bookmaker`} className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Selection</th>
              {columns.map(({ bookmaker }) => (
                <th key={bookmaker.id} scope="col">
                  {bookmaker.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => {
              const selection = selections.get(row.selectionId);
              return (
                <tr key={row.selectionId}>
                  <th scope="row">{row.name}</th>
                  {row.cells.map((cell, column) => {
                    const bookmaker = columns[column]?.bookmaker;
                    const quote = selection?.odds.find(({ bookmakerId }) => bookmakerId === bookmaker?.id);
                    return (
                      <td key={bookmaker?.id}>
                        {selection && cell && quote ? (
                          <PriceButton
                            place={{ market, selection }}
                            quote={quote}
                            cell={{ row: at, column }}
                            compact
                            isBest={cell.isBest}
                          />
                        ) : (
                          <>
                            <span aria-hidden="true">–</span>
                            <VisuallyHidden>no price</VisuallyHidden>
                          </>
                        )}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Overround</th>
              {columns.map(({ bookmaker, overroundPercent }) => (
                <td key={bookmaker.id}>{overroundPercent === null ? '–' : formatPercent(overroundPercent)}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      </Roving>
    </div>
  );
}
