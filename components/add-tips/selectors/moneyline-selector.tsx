import { rowLayout } from '@/lib/fixtures/rules';
import { PriceRow } from '../price-row';
import { Noted } from './noted';
import type { SelectorProps } from './selector';

/** Who wins where there is no draw: the two sides, with whether overtime counts. */
export function MoneylineSelector({ group: { name, markets } }: SelectorProps) {
  const [{ includesOvertime }] = markets;
  const row = <PriceRow label={name} places={rowLayout(markets)} />;
  return includesOvertime ? <Noted note="Overtime counts.">{row}</Noted> : row;
}
