import { rowLayout } from '@/lib/fixtures/rules';
import { PriceRow } from '../price-row';
import type { SelectorProps } from './selector';
import { Noted } from './noted';

/** Either side, the stake returned when neither wins. */
export function DrawNoBetSelector({ group: { name, markets } }: SelectorProps) {
  return (
    <Noted note="If it is a draw, the stake is returned.">
      <PriceRow label={name} places={rowLayout(markets)} />
    </Noted>
  );
}
