import type { Place } from '@/lib/fixtures/rules';
import { PriceButton } from './price-button';
import styles from './price-row.module.scss';

type PriceRowProps = {
  label: string;
  places: readonly Place[];
  nameOf?: (place: Place) => string;
  size?: 'wide' | 'small';
};

/** Selections side by side, each with its name above its price. */
export function PriceRow({ label, places, nameOf = ({ selection }) => selection.name, size = 'wide' }: PriceRowProps) {
  return (
    <ul className={[styles.row, styles[size]].join(' ')} aria-label={label}>
      {places.map((place) => (
        <li key={place.selection.id}>
          <PriceButton place={place} name={nameOf(place)} />
        </li>
      ))}
    </ul>
  );
}
