import { halfTimeFullTimeGrid } from '@/lib/fixtures/rules';
import { useDesk } from '../desk-context';
import { PriceGrid } from '../price-grid';
import { type SelectorProps, sidesOf } from './selector';

/** Who leads at half-time down, who wins across. */
export function HalfTimeFullTimeSelector({ group: { name, markets } }: SelectorProps) {
  const { fixture } = useDesk();
  return (
    <PriceGrid
      look="grid"
      label={name}
      corner="Half-time"
      across="Full-time"
      layout={halfTimeFullTimeGrid(markets, sidesOf(fixture))}
    />
  );
}
