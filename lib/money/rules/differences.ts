import type { MoneyDifference, OwnEntry } from '../schema/books';
import type { PaymentStatus } from '../schema/orders';
import type { ProviderEntry } from '../schema/providers';

const isTaken = (status: PaymentStatus) => status === 'succeeded' || status === 'disputed';

/**
 * Product §8: what does not agree between what a provider moved and what we have and booked, each in a sentence. Nothing is said of what neither took; what we have and the
 * provider did not list is looked for again by its reference before this is asked.
 */
export function differencesOf(
  provider: string,
  own: readonly OwnEntry[],
  theirs: readonly ProviderEntry[],
): MoneyDifference[] {
  const found: MoneyDifference[] = [];
  const known = new Map(own.map((each) => [`${each.kind} ${each.reference}`, each]));
  const seen = new Set<string>();
  for (const each of theirs) {
    const { kind, id, reference, amountMinor, currencyId, status } = each;
    const ours = known.get(`${kind} ${reference}`);
    const say = (what: string, canMend = false) =>
      found.push({ provider, kind, id, reference, order: ours?.order ?? null, what, canMend });
    const name = `${kind} ${reference}`;
    if (isTaken(status) && seen.has(name)) say('It was made twice under one reference.');
    if (isTaken(status)) seen.add(name);
    if (!ours && kind === 'fee') {
      const order = known.get(`payment ${each.payment}`)?.order ?? null;
      // Of a payment that is none of ours its payment tells.
      if (order !== null || each.payment === undefined)
        found.push({ provider, kind, id, reference, order, what: 'It is not in the books.', canMend: true });
      continue;
    }
    if (!ours) {
      if (isTaken(status) || status === 'pending')
        say(reference === null ? 'It bears no reference of ours.' : 'We know nothing of it.');
      continue;
    }
    if (amountMinor !== ours.amountMinor || currencyId !== ours.currencyId)
      say(
        `The provider has ${amountMinor} in currency ${currencyId}, we have ${ours.amountMinor} in currency ${ours.currencyId}.`,
      );
    const isSame = status === ours.status || (!isTaken(status) && !isTaken(ours.status));
    if (!isSame)
      say(
        `The provider has it as ${status}, we have it as ${ours.status}.`,
        isTaken(status) && ours.status !== 'disputed',
      );
  }
  for (const each of own) {
    const { kind, reference, order, status, amountMinor, bookedMinor, isWithin } = each;
    const say = (what: string) => found.push({ provider, kind, id: null, reference, order, what, canMend: false });
    if (
      isWithin &&
      isTaken(status) &&
      !seen.has(`${kind} ${reference}`) &&
      !theirs.some((other) => other.kind === kind && other.reference === reference)
    )
      say(`We have it as ${status}, the provider does not have it.`);
    if (isTaken(status) && bookedMinor !== amountMinor)
      say(
        bookedMinor === null ? 'It is not in the books.' : `The books have ${bookedMinor} of it, not ${amountMinor}.`,
      );
    if (!isTaken(status) && bookedMinor !== null) say(`It is in the books, although it is ${status}.`);
  }
  return found;
}
