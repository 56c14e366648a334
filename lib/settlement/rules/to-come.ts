import { racingSports } from '@/lib/odds/rules';
import type { LegSettlement } from '@/lib/record/schema';
import type { Runner } from '../schema/outcomes';
import type { TipInput } from '../schema/tips';
import { totalDeductionPence } from './rule-4';

/** What is known of a race before its result: the runners that were withdrawn. */
export type Announced = { withdrawn: readonly Runner[] };

function deductionText(pence: number | null, leastPence: number): string | null {
  if (pence === null) return 'Rule 4 waits for the price of a withdrawn runner.';
  if (pence === 0) return null;
  return pence < leastPence
    ? `Rule 4 of ${pence}p in the pound is waived.`
    : `Rule 4 takes ${pence}p in the pound of its winnings.`;
}

/** Settlement §2–§4: what waits for a leg that is not decided, beside its result: a withdrawal, or how long a postponed match may start or an abandoned one be resumed, with what staff have to do where it was settled before; null where nothing does. */
export function whatIsToCome(
  given: TipInput['legs'][number] | undefined,
  leg: LegSettlement | undefined,
  { withdrawn }: Announced,
  isSettled: boolean,
): string | null {
  if (isSettled && leg?.kind === 'settled')
    return 'It keeps its present settlement until its other matches have their results. Settle it again if one of them stays without.';
  if (!given || leg?.kind !== 'undecided') return null;
  if (isSettled && leg.reason === 'awaiting-result')
    return `${leg.rule} It keeps its present settlement until then. Settle it again if no result comes.`;
  // No job looks again at what was settled by an earlier result.
  if (isSettled) return `${leg.rule} It keeps its present settlement. Settle it again once that is known.`;
  if (leg.reason !== 'awaiting-result') return leg.rule;
  const { leg: input, settings } = given;
  const { participantId } = input.selection;
  if (participantId !== null && withdrawn.some((runner) => runner.participantId === participantId))
    return 'A non-runner: the stake is returned once the race has a result.';
  if (!racingSports.includes(input.sportReference)) return null;
  return deductionText(totalDeductionPence(withdrawn, input.placedAt), settings.rule4MinimumPence);
}
