import { rowLayout } from '@/lib/fixtures/rules';
import { PriceRow } from '../price-row';
import type { SelectorProps } from './selector';
import { Noted } from './noted';

/** Either side, the stake returned when neither wins. */
export function DrawNoBetSelector({ group: { name, markets } }: SelectorProps) {
  return (
    <Noted note="A draw returns the stake.">
      <PriceRow label={name} places={rowLayout(markets)} />
    </Noted>
  );
}
