import { correctScoreGrid } from '@/lib/fixtures/rules';
import { useDesk } from '../desk-context';
import { PriceGrid } from '../price-grid';
import { type SelectorProps, sidesOf } from './selector';

/** Every score on offer: goals of the home side down, of the away side across. */
export function CorrectScoreSelector({ group: { name, markets } }: SelectorProps) {
  const { fixture } = useDesk();
  const { home, away } = sidesOf(fixture);
  return (
    <PriceGrid
      look="grid"
      label={name}
      corner={home}
      across={away}
      layout={correctScoreGrid(markets)}
      rest="every other score"
    />
  );
}
