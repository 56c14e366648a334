import {
  type PlannedBet,
  priceOf,
  selectionsOf,
  type Sent,
  type Slip,
  type SlipLeg,
  unansweredOf,
  withoutLegs,
  withUnanswered,
} from '@/lib/bets/rules';
import { multipleName } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import type { CurrencyId } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { editSlip, freshSlip } from '../state/bet-slip';
import { type Recording, type Refusal, sendNoted, settleUnanswered } from '../state/publishing';
import { oneAtATime } from '../state/one-at-a-time';

/** Where the bets of a slip go: into a portfolio as tips, or into one's own record in a currency. */
export type Target =
  | {
      kind: 'tips';
      portfolioReference: string;
      words: Pick<Slip, 'analysis' | 'free' | 'hidden'> & { minPrice?: Price };
    }
  | { kind: 'own'; currencyId: CurrencyId };

/** A bet that was placed: what it was on, where it is, and as which of the two it went there. */
export type Placed = { text: string; href: string; kind: Target['kind'] };

/** What came of placing a slip: what was placed, and why it went no further. */
export type Placing = { placed: readonly Placed[]; refusal: Refusal | null };

const lockName = 'tipledger-bet-slip-placing';

const textOf = (legs: readonly SlipLeg[], selectionIds: readonly number[]): string =>
  selectionIds.length > 1
    ? multipleName(selectionIds.length)
    : (legs.find(({ selectionId }) => selectionIds.includes(selectionId))?.selectionName ?? 'Single');

function attemptOf(bet: PlannedBet, target: Target): Sent {
  const { key, eachWay } = bet;
  if (target.kind === 'tips') {
    const legs = bet.legs.map(({ fixtureReference, selectionId, bookmakerId, oddsThousandths }) => ({
      ...{ fixtureReference, selectionId, bookmakerId, oddsThousandths },
    }));
    const tip = { legs, stakeHundredths: bet.stakeMinor, eachWay, ...target.words };
    return { key, portfolioReference: target.portfolioReference, tip };
  }
  const legs = bet.legs.map((leg) => ({
    fixtureReference: leg.fixtureReference,
    selectionId: leg.selectionId,
    bookmakerId: leg.bookmakerId,
    price: priceOf(leg),
  }));
  return { key, bet: { legs, stakeMinor: bet.stakeMinor, currencyId: target.currencyId, eachWay } };
}

const sentElsewhere: Refusal = {
  kind: 'refused',
  message: 'This slip was sent in another tab, and its answer is not known. Send it again: nothing is recorded twice.',
  fields: {},
  status: 409,
};

const noteOf = (username: string) => (unanswered: Sent | null) =>
  editSlip((slip) => withUnanswered(slip, username, unanswered));

/** What was recorded leaves the slip, and so does the note that it was sent. */
async function taken({ sent, reference }: Extract<Recording, { kind: 'recorded' }>, username: string): Promise<Placed> {
  const selectionIds = selectionsOf(sent);
  const { legs } = await freshSlip();
  await editSlip((slip) => withUnanswered(withoutLegs(slip, selectionIds), username, null));
  const text = textOf(legs, selectionIds);
  return 'tip' in sent
    ? { kind: 'tips', text, href: routes.tip(sent.portfolioReference, reference) }
    : { kind: 'own', text, href: routes.bet(reference) };
}

/** One tab at a time, on the slip as the device has it then, so that what another has placed meanwhile is no longer in it. */
function fromOneTab(act: () => Promise<Placing>): Promise<Placing> {
  return oneAtATime(lockName, act);
}

/** Settles what was sent from the slip and not answered, if there is any, before anything else is asked or sent; what others who use the device have sent is left alone. `plan` and `target` are what the slip comes to now. */
export async function placeUnanswered(
  username: string,
  plan: () => readonly PlannedBet[],
  target: Target,
): Promise<Placing> {
  return fromOneTab(async () => {
    const unanswered = unansweredOf(await freshSlip(), username);
    if (!unanswered) return { placed: [], refusal: null };
    const next = plan().map((bet) => attemptOf(bet, target));
    const outcome = await settleUnanswered(unanswered, next, noteOf(username));
    if (outcome?.kind === 'recorded') return { placed: [await taken(outcome, username)], refusal: null };
    return { placed: [], refusal: outcome };
  });
}

/** Product §5: places the bets one after the other, each leaving the slip once it is placed, and stops at the first that is refused; `plan` is asked in the turn of this tab. */
export async function placeAll(
  username: string,
  plan: () => Promise<readonly PlannedBet[]>,
  target: Target,
): Promise<Placing> {
  return fromOneTab(async () => {
    const placed: Placed[] = [];
    if (unansweredOf(await freshSlip(), username)) return { placed, refusal: sentElsewhere };
    for (const bet of await plan()) {
      const outcome = await sendNoted(attemptOf(bet, target), noteOf(username));
      if (outcome.kind !== 'recorded') return { placed, refusal: outcome };
      placed.push(await taken(outcome, username));
    }
    return { placed, refusal: null };
  });
}
