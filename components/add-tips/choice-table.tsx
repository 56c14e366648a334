import type { Place } from '@/lib/fixtures/rules';
import { NoPrice } from '../ui/no-price';
import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './choice-table.module.scss';
import { useDesk } from './desk-context';
import { PriceButton } from './price-button';
import { Roving } from './roving';

/** One of a field; `out` says why it is no longer in it. */
export type Choice = { key: string; name: string; number?: number | null; place: Place | null; out?: string | null };

type ChoiceTableProps = { label: string; heading: string; choices: readonly Choice[]; numbered?: boolean };

/** A field, one a line with a price; the arrow keys go up and down the prices. */
export function ChoiceTable({ label, heading, choices, numbered = false }: ChoiceTableProps) {
  const { quoteOf } = useDesk();
  const cells = choices.flatMap(({ place, out }, row) =>
    place && !out && quoteOf(place.selection) ? [{ row, column: 0 }] : [],
  );
  if (choices.length === 0) return null;
  return (
    <Roving cells={cells} className={styles.list}>
      <table role="grid" aria-label={label} className={styles.table}>
        <thead>
          <tr>
            {numbered && (
              <th scope="col" className={styles.number}>
                <abbr title="Number">No.</abbr>
              </th>
            )}
            <th scope="col">{heading}</th>
            <th scope="col" className={styles.price}>
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {choices.map(({ key, name, number, place, out }, row) => (
            <tr key={key} className={out ? styles.out : undefined}>
              {numbered && <td className={styles.number}>{number ?? <VisuallyHidden>not given</VisuallyHidden>}</td>}
              <th scope="row">
                {out ? <s>{name}</s> : name}
                {out && <span className={styles.why}>{out}</span>}
              </th>
              <td className={styles.price}>
                {place && !out ? <PriceButton place={place} cell={{ row, column: 0 }} /> : <NoPrice />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Roving>
  );
}
