import { type PlannedBet, priceOf, type Slip, withoutLegs } from '@/lib/bets/rules';
import { multipleName } from '@/lib/odds/rules';
import type { Price } from '@/lib/odds/schema';
import type { CurrencyId } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { api } from '../state/api';
import { editSlip } from '../state/bet-slip';
import { publishTip, type Refusal, refusalOf } from '../state/publishing';

/** Where the bets of a slip go: into a portfolio as tips, or into one's own record in a currency. */
export type Target =
  | {
      kind: 'tips';
      portfolioReference: string;
      words: Pick<Slip, 'analysis' | 'free' | 'hidden'> & { minPrice?: Price };
    }
  | { kind: 'own'; currencyId: CurrencyId };

/** A bet that was placed: what it was on, and where it is. */
export type Placed = { text: string; href: string };

const lockName = 'tipledger-bet-slip-placing';

const textOf = ({ legs }: PlannedBet) =>
  legs.length === 1 ? (legs[0]?.selectionName ?? '') : multipleName(legs.length);

async function place(bet: PlannedBet, target: Target): Promise<Placed | Refusal> {
  if (target.kind === 'tips') {
    const legs = bet.legs.map(({ fixtureReference, selectionId, bookmakerId, oddsThousandths }) => ({
      fixtureReference,
      selectionId,
      bookmakerId,
      oddsThousandths,
    }));
    const published = await publishTip(
      target.portfolioReference,
      { legs, stakeHundredths: bet.stakeMinor, eachWay: bet.eachWay, ...target.words },
      bet.key,
    );
    return published.kind === 'published'
      ? { text: textOf(bet), href: routes.tip(target.portfolioReference, published.reference) }
      : published;
  }
  const legs = bet.legs.map((leg) => ({
    fixtureReference: leg.fixtureReference,
    selectionId: leg.selectionId,
    bookmakerId: leg.bookmakerId,
    price: priceOf(leg),
  }));
  try {
    const { reference } = await api('POST /user/bets', {
      body: { legs, stakeMinor: bet.stakeMinor, currencyId: target.currencyId, eachWay: bet.eachWay },
      idempotencyKey: bet.key,
    });
    return { text: textOf(bet), href: routes.bet(reference) };
  } catch (error) {
    return refusalOf(error);
  }
}

/**
 * Product §5: places the bets one after the other, each leaving the slip once it is placed, and stops at the first that is refused. One tab at a
 * time: `plan` is asked in the turn of this tab, so that what another has placed meanwhile is no longer in it.
 */
export async function placeAll(
  plan: () => Promise<readonly PlannedBet[]>,
  target: Target,
): Promise<{ placed: readonly Placed[]; refusal: Refusal | null }> {
  const act = async () => {
    const placed: Placed[] = [];
    for (const bet of await plan()) {
      const outcome = await place(bet, target);
      if ('kind' in outcome) return { placed, refusal: outcome };
      placed.push(outcome);
      await editSlip((slip) =>
        withoutLegs(
          slip,
          bet.legs.map(({ selectionId }) => selectionId),
        ),
      );
    }
    return { placed, refusal: null };
  };
  return 'locks' in navigator ? navigator.locks.request(lockName, act) : act();
}
