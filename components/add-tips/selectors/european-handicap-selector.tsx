import { europeanLadder } from '@/lib/fixtures/rules';
import { useDesk } from '../desk-context';
import { PriceGrid } from '../price-grid';
import { type SelectorProps, sidesOf } from './selector';

/** The lines of a handicap of three results: the home line is added to the home side's score before the result is read. */
export function EuropeanHandicapSelector({ group: { name, markets } }: SelectorProps) {
  const { fixture } = useDesk();
  const sides = sidesOf(fixture);
  return (
    <PriceGrid
      look="ladder"
      label={name}
      corner="Home line"
      layout={europeanLadder(markets, sides)}
      note={`The line is added to the score of ${sides.home}; the draw is a separate outcome.`}
    />
  );
}
