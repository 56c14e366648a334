import 'server-only';
import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { decisionMoment } from '@/lib/platform/moment';
import { bankLines, exchangeLines, feeLines } from '../rules/shares';
import type { MoneyDifference, PostingLine } from '../schema/books';
import type { MoneyCurrencyId } from '../schema/currencies';
import type { Provider, ProviderEntry, ProviderMove } from '../schema/providers';
import { post } from './books';
import { providers } from './provider';

type Booking = { kind: 'fee' | 'exchange' | 'bank'; currencyId: MoneyCurrencyId; lines: PostingLine[] };

/** What is ours of what moves are of, by its kind and reference, with its order where it has one. */
type Ours = ReadonlyMap<string, string | null>;

const isOurs = ({ of }: ProviderMove, ours: Ours) => of !== null && ours.has(`${of.kind} ${of.reference}`);

/** Orders and payouts book what was asked for, and the fees of payments; this is what a move is besides. Nothing of what nothing of ours explains. */
function bookingsOf(move: ProviderMove, ours: Ours): Booking[] {
  const { kind, amountMinor, feeMinor, currencyId, exchanged, payment } = move;
  if (currencyId === null || kind === 'other' || (kind === 'asked' && !isOurs(move, ours))) return [];
  const bookings: Booking[] = [];
  if (payment === null) bookings.push({ kind: 'fee', currencyId, lines: feeLines(feeMinor) });
  if (kind === 'bank') bookings.push({ kind, currencyId, lines: bankLines(amountMinor) });
  if (exchanged !== null && exchanged.currencyId !== null) {
    const given = { amountMinor: exchanged.amountMinor, currencyId: exchanged.currencyId };
    bookings.push({ kind: 'exchange', currencyId, lines: exchangeLines(given, { amountMinor, currencyId }) });
  }
  return bookings.filter(({ lines }) => lines.length > 0);
}

async function findOurs(provider: string, moves: readonly ProviderMove[]): Promise<Ours> {
  const references = [...new Set(moves.flatMap(({ of, payment }) => [of?.reference ?? [], payment ?? []].flat()))];
  const { rows } = await sql<{ name: string; order: string | null }>`
    select 'payment ' || payment.reference as name, customer_order.reference as "order" from payment join customer_order on customer_order.id = order_id
    where provider = ${provider} and payment.reference = any(${references}::text[])
    union all
    select 'refund ' || refund.reference, customer_order.reference from refund join payment on payment.id = payment_id join customer_order on customer_order.id = order_id
    where provider = ${provider} and refund.reference = any(${references}::text[])
    union all
    select 'payout ' || reference, null from payout where provider = ${provider} and reference = any(${references}::text[])
  `.execute(database());
  return new Map(rows.map(({ name, order }) => [name, order]));
}

async function findUnbooked(provider: string, moves: readonly ProviderMove[], ours: Ours) {
  const all = moves.flatMap((move) =>
    bookingsOf(move, ours).map((booking) => ({ ...booking, move, key: `${booking.kind}:${provider}:${move.id}` })),
  );
  const { rows } = await sql<{ key: string }>`
    select key from posting where key = any(${all.map(({ key }) => key)}::text[])
  `.execute(database());
  const booked = new Set(rows.map(({ key }) => key));
  return all.filter(({ key }) => !booked.has(key));
}

/**
 * Product §8: books what the providers changed of our money in a period that no payment, refund, dispute or payout books: fees by themselves, what went to the bank of the
 * site and came from there, what was exchanged. Each once by the provider's name of it, however often and by however many it is read; what was begun is gone on with by the next.
 */
export async function bookMoves(period: { from: Date; to: Date }): Promise<void> {
  for (const { name, listMoves } of providers())
    for await (const moves of listMoves?.(period) ?? [])
      for (const { key, kind, currencyId, lines } of await findUnbooked(name, moves, await findOurs(name, moves)))
        await transact(async () => post({ key, kind, currencyId }, lines, await decisionMoment()));
}

/** What a provider changed of our money in a period, held against the books: its fees, to be held against those that are booked, and what differs besides; `told` are the names of what was asked for and is told of elsewhere. */
export async function compareMoves(
  { name: provider, listMoves }: Provider,
  period: { from: Date; to: Date },
  told: ReadonlySet<string>,
): Promise<{ fees: ProviderEntry[]; differences: MoneyDifference[] }> {
  const moves: ProviderMove[] = [];
  for await (const page of listMoves?.(period) ?? []) moves.push(...page);
  const ours = await findOurs(provider, moves);
  const say = (
    move: ProviderMove,
    {
      kind = 'balance',
      what,
      canMend = false,
    }: { kind?: 'balance' | Booking['kind']; what: string; canMend?: boolean },
  ): MoneyDifference => {
    const { id, payment } = move;
    return { provider, kind, id, reference: payment, order: ours.get(`payment ${payment}`) ?? null, what, canMend };
  };
  const unbooked = await findUnbooked(provider, moves, ours);
  return {
    fees: moves.flatMap((move) => feeIn(move, ours)),
    differences: [
      ...moves.flatMap((move) => {
        const what = whyUnbooked(move, { isOurs: isOurs(move, ours), isTold: told.has(move.of?.id ?? '') });
        return what === null ? [] : [say(move, { what })];
      }),
      ...unbooked.flatMap(({ kind, move }) =>
        kind === 'fee' ? [] : [say(move, { kind, what: 'It is not in the books.', canMend: true })],
      ),
    ],
  };
}

function feeIn(move: ProviderMove, ours: Ours): ProviderEntry[] {
  const { id, feeMinor, currencyId, payment } = move;
  const isBooked = payment !== null || bookingsOf(move, ours).some(({ kind }) => kind === 'fee');
  if (!isBooked || feeMinor === 0 || currencyId === null) return [];
  const of = payment === null ? {} : { payment };
  return [{ kind: 'fee', id, reference: id, ...of, amountMinor: feeMinor, currencyId, status: 'succeeded' }];
}

/** Why a move is booked by nobody, in a sentence; null for one that is, and for one of what is told of elsewhere. */
function whyUnbooked(
  { kind, what, amountMinor, feeMinor, currency, currencyId }: ProviderMove,
  { isOurs, isTold }: { isOurs: boolean; isTold: boolean },
): string | null {
  const words = `${what}, ${amountMinor} in ${currency}${feeMinor === 0 ? '' : `, of which ${feeMinor} were kept`}.`;
  if (kind === 'other' || (kind === 'asked' && !isOurs))
    return isTold ? null : `No payment, refund, dispute or payout of ours explains it: ${words}`;
  return currencyId === null ? `We keep no books in ${currency}: ${words}` : null;
}
