import { type Place, rowLayout } from '@/lib/fixtures/rules';
import { useDesk } from '../desk-context';
import { PriceButton } from '../price-button';
import { type SelectorProps, sidesOf } from './selector';
import styles from './double-chance-selector.module.scss';

/** Two of the three results in one selection; each says the one that loses it. */
export function DoubleChanceSelector({ group: { name, markets } }: SelectorProps) {
  const { fixture } = useDesk();
  const { home, away } = sidesOf(fixture);
  const losing: Readonly<Record<string, string>> = {
    'home-draw': `${away} win`,
    'home-away': 'it is a draw',
    'draw-away': `${home} win`,
  };
  const losesIf = ({ selection }: Place) => losing[selection.key];
  return (
    <ul className={styles.list} aria-label={name}>
      {rowLayout(markets).map((place) => (
        <li key={place.selection.id}>
          <PriceButton place={place} name={place.selection.name} />
          {losesIf(place) && <p>Loses if {losesIf(place)}</p>}
        </li>
      ))}
    </ul>
  );
}
