import type { ReactNode } from 'react';
import type { Layout, Place } from '@/lib/fixtures/rules';
import { useDesk } from './desk-context';
import { PriceButton } from './price-button';
import styles from './price-grid.module.scss';
import { PriceRow } from './price-row';
import { Roving } from './roving';

type PriceGridProps = {
  label: string;
  layout: Layout;
  /** What the rows are, in the corner. */
  corner: string;
  /** What the columns are together, where their names alone do not say it. */
  across?: string;
  look: 'ladder' | 'grid';
  /** What a cell shows before its price, where the headings do not say it whole. */
  leadOf?: (place: Place) => string;
  rest?: string;
  note?: ReactNode;
};

/** Selections in rows and columns; the arrow keys go from price to price. What has no cell stands below. */
export function PriceGrid({ label, layout, corner, across, look, leadOf, rest = 'Others', note }: PriceGridProps) {
  const { quoteOf } = useDesk();
  const { columns, rows } = layout;
  const cells = rows.flatMap(({ places }, row) =>
    places.flatMap((place, column) => (place && quoteOf(place.selection) ? [{ row, column }] : [])),
  );
  return (
    <div className={styles.selector}>
      {note && <p className={styles.note}>{note}</p>}
      {rows.length > 0 && (
        <Roving cells={cells} className={styles.scroller}>
          <table role="grid" aria-label={label} className={[styles.grid, styles[look]].join(' ')}>
            <thead>
              {across && (
                <tr>
                  <td />
                  <th scope="colgroup" colSpan={columns.length} className={styles.across}>
                    {across}
                  </th>
                </tr>
              )}
              <tr>
                <th scope="col">{corner}</th>
                {columns.map(({ key, name }) => (
                  <th key={key} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((line, row) => (
                <tr key={line.key}>
                  <th scope="row">
                    {line.name}
                    {line.note && <span className={styles.lineNote}>{line.note}</span>}
                  </th>
                  {line.places.map((place, column) => (
                    <td key={columns[column]?.key}>
                      {place && (
                        <PriceButton
                          place={place}
                          cell={{ row, column }}
                          compact={look === 'grid'}
                          {...(leadOf && { lead: leadOf(place) })}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Roving>
      )}
      {layout.rest.length > 0 && <PriceRow label={`${label}: ${rest}`} places={layout.rest} size="small" />}
    </div>
  );
}
