import { proTeam } from '../schema/pro';
import { dayMilliseconds, daysLater } from './calendar';

/** Product §8: what the membership of the site itself is called. */
export const proName = 'Tipledger Pro';

/** Product §8: so many days of a payment for Pro are shared at a time. */
export const shareDays = 30;

/** How long a portfolio was in a team, in seconds, and whom its share goes to. */
export type TeamDays = { portfolioId: number; owner: number; seconds: number };

/** Product §8: up to when a payment for Pro can be shared now: whole steps of thirty days while its period runs, all of it once the period or the membership is over. */
export function shareUntil(
  { startsAt, endsAt, endedAt }: { startsAt: Date; endsAt: Date; endedAt: Date | null },
  now: Date,
): { until: Date; isLast: boolean } {
  const over = endedAt !== null && endedAt < endsAt ? endedAt : endsAt;
  if (over <= now) return { until: over > startsAt ? over : new Date(startsAt.getTime() + 1), isLast: true };
  const steps = Math.floor((now.getTime() - startsAt.getTime()) / (shareDays * dayMilliseconds));
  return { until: daysLater(startsAt, Math.max(0, steps) * shareDays), isLast: false };
}

/** An amount in minor units, divided by how long each was in the team; what rounding leaves goes to whoever was longest, the first of equals. Parts of nothing are left out. */
export function shareByDays(
  amountMinor: number,
  team: readonly TeamDays[],
): { portfolioId: number; owner: number; amountMinor: number }[] {
  const all = team.reduce((sum, { seconds }) => sum + seconds, 0);
  if (all <= 0) return [];
  const parts = team.map((each) => ({ ...each, amountMinor: Math.floor((amountMinor * each.seconds) / all) }));
  const [longest] = parts.toSorted((a, b) => b.seconds - a.seconds || a.portfolioId - b.portfolioId);
  const left = amountMinor - parts.reduce((sum, part) => sum + part.amountMinor, 0);
  if (longest) longest.amountMinor += left;
  return parts
    .filter((part) => part.amountMinor > 0)
    .map(({ portfolioId, owner, amountMinor: own }) => ({ portfolioId, owner, amountMinor: own }));
}

/** So many minor units of parts, taken of each in proportion and never more than it is, to the unit: what rounding leaves is taken from the first. Parts of nothing are left out. */
export function inProportion<T extends { amountMinor: number }>(amountMinor: number, parts: readonly T[]): T[] {
  const all = parts.reduce((sum, part) => sum + part.amountMinor, 0);
  if (all <= 0) return [];
  let left = Math.min(amountMinor, all);
  const taken = parts.map((part) => ({ ...part, amountMinor: Math.floor((left * part.amountMinor) / all) }));
  left -= taken.reduce((sum, part) => sum + part.amountMinor, 0);
  for (const [place, part] of taken.entries()) {
    const more = Math.min(left, (parts[place]?.amountMinor ?? 0) - part.amountMinor);
    part.amountMinor += more;
    left -= more;
  }
  return taken.filter((part) => part.amountMinor > 0);
}

/** Product §8: from when on a team may be changed again after it was changed then; at once where it never was. */
export function nextSwitchAt(switchedAt: Date | null): Date | null {
  return switchedAt && daysLater(switchedAt, proTeam.switchDays);
}
