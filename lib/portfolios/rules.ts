import { PortfolioVisibility } from '@/lib/reference/schema';

/** What is said to whoever would write in a portfolio that is no longer kept. */
export const abandonedMessage = 'This portfolio is closed. Publish in another one.';

/**
 * Ours (0016, 0030): why the kind of a portfolio cannot become another, or null. What is personal stays so, nothing else becomes personal, and
 * what members have paid for is not made public while a membership runs: hiding the portfolio ends them first (product §8).
 */
export function whyCannotBecome(
  from: PortfolioVisibility,
  to: PortfolioVisibility,
  { members }: { members: number },
): string | null {
  if (from === to) return null;
  if (from === PortfolioVisibility.personal)
    return 'a personal portfolio stays personal, as its tips never were on the public record: create another one for the public';
  if (to === PortfolioVisibility.personal)
    return 'what is on the public record cannot become personal: create a personal portfolio beside it';
  if (to === PortfolioVisibility.public && members > 0)
    return 'it has members who paid for it: it can become public once their memberships have ended';
  return null;
}

/** Spec §4: the portfolio that is current after one was abandoned: the one after it in the member's list, or else the first that is left; null when none is. */
export function nextPortfolio(references: readonly string[], abandoned: string): string | null {
  const place = references.indexOf(abandoned);
  const others = references.filter((reference) => reference !== abandoned);
  return others[place >= 0 && place < others.length ? place : 0] ?? null;
}
