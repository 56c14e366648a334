import { rowLayout } from '@/lib/fixtures/rules';
import { PriceRow } from '../price-row';
import type { SelectorProps } from './selector';

const names: Readonly<Record<string, string>> = { yes: 'Yes, both score', no: 'No, one or neither' };

/** Whether both sides score: yes beside no. */
export function BothTeamsToScoreSelector({ group: { name, markets } }: SelectorProps) {
  return (
    <PriceRow
      label={name}
      places={rowLayout(markets)}
      nameOf={({ selection }) => names[selection.key] ?? selection.name}
    />
  );
}
