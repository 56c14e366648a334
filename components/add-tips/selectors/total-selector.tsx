import { totalLadder } from '@/lib/fixtures/rules';
import { PriceGrid } from '../price-grid';
import type { SelectorProps } from './selector';

/** The lines of a total from the lowest up, over beside under. */
export function TotalSelector({ group: { name, markets } }: SelectorProps) {
  return (
    <PriceGrid
      look="ladder"
      label={name}
      corner="Line"
      layout={totalLadder(markets)}
      note={markets[0].includesOvertime ? 'Overtime counts.' : undefined}
    />
  );
}
