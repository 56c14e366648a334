import { asianLadder, lineHundredthsOf, lineText, type Place } from '@/lib/fixtures/rules';
import { useDesk } from '../desk-context';
import { PriceGrid } from '../price-grid';
import { type SelectorProps, sidesOf } from './selector';

/** The line of the side that is backed: the away side's is the home side's turned round. */
function ownLine({ market, selection }: Place): string {
  const hundredths = lineHundredthsOf(market);
  return lineText(selection.key === 'away' ? 0 - hundredths : hundredths, true);
}

/** The lines of a handicap without a draw, home and away side by side, each with its own line; a quarter line says how it splits the stake. */
export function AsianHandicapSelector({ group: { name, markets } }: SelectorProps) {
  const { fixture } = useDesk();
  const note = markets[0].includesOvertime
    ? 'Overtime counts. If a whole line is hit exactly, the stake is returned.'
    : 'If a whole line is hit exactly, the stake is returned.';
  return (
    <PriceGrid
      look="ladder"
      label={name}
      corner="Home line"
      layout={asianLadder(markets, sidesOf(fixture))}
      leadOf={ownLine}
      note={note}
    />
  );
}
