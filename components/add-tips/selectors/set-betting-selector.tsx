import { setBettingGrid } from '@/lib/fixtures/rules';
import { useDesk } from '../desk-context';
import { PriceGrid } from '../price-grid';
import { type SelectorProps, sidesOf } from './selector';

/** The score in sets by who wins, the clearest win first. */
export function SetBettingSelector({ group: { name, markets } }: SelectorProps) {
  const { fixture } = useDesk();
  return <PriceGrid look="ladder" label={name} corner="Sets" layout={setBettingGrid(markets, sidesOf(fixture))} />;
}
