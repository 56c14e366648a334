import { formatCount, formatDate, formatOdds, formatTotalOdds, formatUnits } from '@/lib/format';
import { multipleName } from '@/lib/odds/rules';
import type { TipView } from '../schema';
import { selectionHeading } from './bet-names';
import { legsText } from './legs-text';

/** What a picture of a tip says, in words: nothing that whoever it was made for may not read. */
export type SharedTip = {
  portfolio: string;
  what: string;
  where: string;
  odds: string | null;
  stake: string;
  state: { text: string; tone: 'plain' | 'profit' | 'loss' };
  when: string;
  demo: boolean;
};

const lockWords = { hidden: 'A hidden tip', members: 'A tip for members' };
const outcomeWords: Record<string, string> = {
  won: 'Won',
  'half-won': 'Half won',
  placed: 'Placed',
  void: 'Void',
  'half-lost': 'Half lost',
  lost: 'Lost',
};
const legsNamed = 2;

function stateOf({ settlements, started, lock, legs }: TipView): SharedTip['state'] {
  const [settlement] = settlements;
  if (!settlement && legs.some(({ postponedUntil }) => postponedUntil !== null))
    return { text: 'Postponed', tone: 'plain' };
  if (!settlement) return { text: started ? 'Under way' : lock ? 'Opens at the start' : 'Upcoming', tone: 'plain' };
  const { profitHundredths, outcome } = settlement;
  return {
    text: `${outcomeWords[outcome] ?? outcome} ${formatUnits(profitHundredths, { sign: true })} u`,
    tone: Number(profitHundredths) > 0 ? 'profit' : Number(profitHundredths) < 0 ? 'loss' : 'plain',
  };
}

/** What a picture of this tip says, by the view that it is given: a locked one shows that it is, and neither selection nor price. */
export function sharedTip(
  tip: TipView,
  { timeZone, timeZoneName }: { timeZone: string; timeZoneName: string },
): SharedTip {
  const [only] = tip.legs;
  const isSingle = tip.legCount === 1 && only !== undefined;
  const odds = isSingle
    ? formatOdds(only.price, 'decimal')
    : tip.totalOddsThousandths === null
      ? null
      : formatTotalOdds(tip.totalOddsThousandths, 'decimal');
  const start = `${formatDate(tip.firstStartsAt, { timeZone, style: 'day-time' })} ${timeZoneName}`;
  return {
    portfolio: tip.portfolioName,
    what: tip.lock ? lockWords[tip.lock] : isSingle ? selectionHeading(only) : multipleName(tip.legCount),
    where: tip.lock
      ? `${formatCount(tip.legCount, 'leg', 'legs')}, sealed in the record until ${start}`
      : isSingle
        ? `${only.marketName}, ${only.fixtureName}`
        : legsText(tip.legs, legsNamed),
    odds: tip.lock ? null : odds,
    stake: `${formatUnits(tip.stakeHundredths)} u${tip.eachWay ? ' each-way' : ''}`,
    state: stateOf(tip),
    when: start,
    demo: tip.demo,
  };
}
