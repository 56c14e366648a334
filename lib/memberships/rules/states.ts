import type { MembershipState } from '../schema/memberships';

/** Why what a portfolio sold has ended where the portfolio was closed, as its members read it. */
export const closedBecause = 'The portfolio was closed.';

/** Why what was charged in another amount than was agreed bought nothing, as its payer reads it. */
export const otherAmountBecause =
  'Your card was charged another amount than was agreed. Write to us through the contact page: we will give it back, and then you can join again.';

/** Why a membership has ended that would have been renewed during a break from betting, as its member reads it. */
export const pausedBecause = 'You are taking a break from betting, so it was not renewed.';

/** Why a membership has ended whose card was one of the sandbox, once cards are charged for real, as its member reads it. */
export const cardOutOfUseBecause =
  'It was paid in the sandbox, where no money moves, and cards are charged for real now. Join again, with a card of your own.';

/** The state of a membership at a moment, by what stands in its row. */
export function stateOf(
  membership: {
    endsAt: Date;
    endedAt: Date | null;
    trialEndsAt: Date | null;
    cancelledAt: Date | null;
    pastDueAt: Date | null;
  },
  now: Date,
): MembershipState {
  const { endsAt, endedAt, trialEndsAt, cancelledAt, pastDueAt } = membership;
  if (endedAt !== null || (endsAt <= now && pastDueAt === null)) return 'ended';
  if (cancelledAt !== null) return 'cancelled';
  if (pastDueAt !== null) return 'past due';
  return trialEndsAt !== null && trialEndsAt > now ? 'trial' : 'active';
}

/** Why the card of a membership cannot be changed, in a sentence that says what to do; null where it can. */
export function whyCardStays({
  endedAt,
  cancelledAt,
}: {
  endedAt: Date | null;
  cancelledAt: Date | null;
}): string | null {
  if (endedAt !== null) return 'This membership has ended. Join again, with any card.';
  return cancelledAt === null
    ? null
    : 'This membership is cancelled, and its card is no longer charged. Keep the membership first, then change the card.';
}
