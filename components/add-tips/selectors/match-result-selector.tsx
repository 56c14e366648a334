import { rowLayout } from '@/lib/fixtures/rules';
import { PriceRow } from '../price-row';
import type { SelectorProps } from './selector';

/** Who wins, or neither: three prices side by side. */
export function MatchResultSelector({ group: { name, markets } }: SelectorProps) {
  return <PriceRow label={name} places={rowLayout(markets)} />;
}
