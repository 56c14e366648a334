import 'server-only';
import { sql } from 'kysely';
import { formatAmount } from '@/lib/amounts';
import { noteEvents } from '@/lib/events/commands';
import { throughAll } from '@/lib/platform/batches';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import { decisionMoment } from '@/lib/platform/moment';
import { once } from '@/lib/platform/once';
import { referenceOf } from '@/lib/platform/reference';
import { payoutBoundsIn, whyCannotPay } from '../rules/payouts';
import type { MoneyCurrencyId } from '../schema/currencies';
import type { RequestedPayout } from '../schema/payouts';
import type { Provider } from '../schema/providers';
import { post } from './books';
import { providerNamed, providerOf } from './provider';
import { reach } from './reach';

const referenceLength = 20;

type Payable = { owner: number; portfolioId: number | null; currencyId: MoneyCurrencyId };

// So many payouts in a row may have come to nothing since a backup without hiding those that were paid behind them.
const lookedAhead = 5;

/** Ours (0115): what the provider may know an owner's next payouts by: they follow from whose they are and how many came before, so that a site that was restored finds what it had paid out since. Those that a payout holds are left out. */
async function nextReferences({ owner, portfolioId, currencyId }: Payable): Promise<string[]> {
  const { rows } = await sql<{ since: Date; held: string[] }>`
    select coalesce(portfolio.created_at, account.created_at) as since,
      array(select reference from payout where owner_id = ${owner} and portfolio_id is not distinct from ${portfolioId}::int and currency_id = ${currencyId}) as held
    from account left join portfolio on portfolio.id = ${portfolioId}::int where account.id = ${owner}
  `.execute(database());
  if (!rows[0]) throw new Error('The account of a payout is gone.');
  const since = rows[0].since.toISOString();
  const held = new Set(rows[0].held);
  const next: string[] = [];
  for (let number = held.size; next.length < lookedAhead; number += 1) {
    const reference = referenceOf(
      ['payout', owner, portfolioId ?? 'affiliate', since, currencyId, number],
      referenceLength,
    );
    if (!held.has(reference)) next.push(reference);
  }
  return next;
}

/**
 * Product §8: asks for everything that is payable to an owner of one of their portfolios, or as an affiliate where none is named, in a currency to be paid out, less what they owe from elsewhere (0117); above the bound it waits for staff.
 * The caller has looked who asks and whose the portfolio is. What the provider has paid out already is taken first, and alone, as 'found': such a payout was made, and agreed to, after the backup
 * that the site was restored from (0115). Failure 'conflict' for less than the least, while another payout is under way, and where the provider cannot pay the owner yet, with what to do; 'unavailable' while it is down. With `onlyPayable` an owner whom the provider cannot pay is refused at the first question, and what they were sent already is not looked for.
 */
export async function requestPayout(
  { accountId: owner }: { accountId: number },
  { portfolioId, currencyId }: { portfolioId: number | null; currencyId: MoneyCurrencyId },
  key: string,
  now: Date,
  { onlyPayable = false } = {},
): Promise<RequestedPayout> {
  const { name, readPayee, readPayout } = await providerOf(owner);
  const untouched = 'Nothing was moved and everything stays payable';
  // Asked before any lock is held, and said only to whoever asks for the first time.
  const why = readPayee ? whyCannotPay(await reach(() => readPayee(String(owner)), untouched)) : null;
  if (why !== null && onlyPayable) throw new Failure('conflict', why);
  const expected = await nextReferences({ owner, portfolioId, currencyId });
  const sent = readPayout ? await reach(() => firstSent(expected, readPayout), untouched) : null;
  return once({ accountId: owner, key, request: ['payout', portfolioId, currencyId] }, now, async () => {
    if (portfolioId !== null) await sql`select from portfolio where id = ${portfolioId} for update`.execute(database());
    const at = await decisionMoment();
    const { rows } = await sql<{ payable: number; whole: number; isUnderWay: boolean }>`
      select coalesce(sum(amount_minor), 0)::float8 as payable,
        (select coalesce(sum(balance.amount_minor), 0)::float8 from money_balance balance join money_account own on own.id = balance.account_id
          where own.owner_id = ${owner} and own.currency_id = ${currencyId} and own.kind in ('payable', 'affiliate-payable')) as whole,
        exists (select from payout where owner_id = ${owner} and currency_id = ${currencyId} and status in ('asked', 'approved')) as "isUnderWay"
      from posting join posting_line on posting_id = posting.id join money_account on money_account.id = account_id
      where ${portfolioId === null ? sql`money_account.kind = 'affiliate-payable'` : sql`portfolio_id = ${portfolioId} and money_account.kind = 'payable'`} and money_account.currency_id = ${currencyId} and owner_id = ${owner}
    `.execute(database());
    const { payable = 0, whole = 0, isUnderWay = false } = rows[0] ?? {};
    const free = await nextReferences({ owner, portfolioId, currencyId });
    const reference = sent?.reference ?? free[0];
    // One that another call has made meanwhile is under way, or has just arrived.
    if (isUnderWay || free.join() !== expected.join())
      throw new Failure('conflict', 'A payout is under way. Ask for the next one when it has arrived.');
    if (sent !== null && sent.amountMinor > payable)
      throw new Failure(
        'conflict',
        'You were paid more than our books say. Write to us through the contact page: we will put it right before the next payout.',
      );
    const amountMinor = sent?.amountMinor ?? Math.min(payable, whole);
    const { least, mostWithoutStaff } = payoutBoundsIn(currencyId);
    if (amountMinor < least && payable >= least)
      throw new Failure(
        'conflict',
        `You owe ${formatAmount(payable - whole, currencyId)} from refunds or chargebacks of your other earnings. With that taken off, less than ${formatAmount(least, currencyId)} is left to pay out. Request it again once more is payable.`,
      );
    if (amountMinor < least)
      throw new Failure(
        'conflict',
        `The smallest payout is ${formatAmount(least, currencyId)}. Request it again once that much is payable.`,
      );
    if (sent === null && why) throw new Failure('conflict', why);
    const status = sent === null && amountMinor > mostWithoutStaff ? 'asked' : 'approved';
    const made = await sql<{ id: number }>`
      insert into payout (reference, owner_id, portfolio_id, currency_id, amount_minor, provider, status, created_at, changed_at)
      values (${reference}, ${owner}, ${portfolioId}, ${currencyId}, ${amountMinor}, ${name}, ${status}, ${at}, ${at}) returning id
    `.execute(database());
    const payoutId = made.rows[0]?.id ?? 0;
    await post(
      { key: `payout:${payoutId}`, kind: 'payout', currencyId, payoutId, portfolioId },
      [
        { owner, kind: portfolioId === null ? 'affiliate-payable' : 'payable', amountMinor: -amountMinor },
        { owner, kind: 'payouts', amountMinor },
      ],
      at,
    );
    return { amountMinor, status: sent === null ? status : 'found' };
  });
}

type Read = NonNullable<Provider['readPayout']>;

// Asked together: each is a question of its own, and what was paid is told in the order of the references.
async function firstSent(
  references: readonly string[],
  read: Read,
): Promise<{ reference: string; amountMinor: number } | null> {
  const told = await Promise.all(
    references.map(async (reference) => {
      const amountMinor = await read(reference);
      return amountMinor === null ? null : { reference, amountMinor };
    }),
  );
  return told.find((each) => each !== null) ?? null;
}

type Due = {
  id: number;
  reference: string;
  owner: number;
  portfolioId: number | null;
  currencyId: MoneyCurrencyId;
  amountMinor: number;
  provider: string;
};

const batch = 100;

/** Product §8: has the provider pay out what was approved, and books what it paid, or what it refuses for good; asking twice pays once. Returns how many it looked at. */
export async function sendPayouts(): Promise<number> {
  return throughAll(listApproved, sendPayout);
}

// Those after a payout: what the provider cannot pay now stays among them and must not keep the others from their turn.
async function listApproved(after: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select id, reference, owner_id as owner, portfolio_id as "portfolioId", currency_id as "currencyId", amount_minor as "amountMinor", provider from payout
    where status = 'approved' and id > ${after} order by id limit ${batch}
  `.execute(database());
  return rows;
}

async function sendPayout(due: Due): Promise<void> {
  try {
    const { refused } = await providerNamed(due.provider).payOut({ ...due, owner: String(due.owner) });
    if (refused === null) await transact(() => bookPaid(due));
    else await transact(() => bookRefused(due, refused));
  } catch (error) {
    log.error({
      event: 'payout_failed',
      payout: due.id,
      message: error instanceof Error ? error.message : String(error),
    });
  }
}

/** Locks a payout that the provider has answered; null for one that was booked meanwhile. */
async function holdApproved(id: number): Promise<Date | null> {
  const held = await sql`select from payout where id = ${id} and status = 'approved' for update`.execute(database());
  return held.rows.length === 0 ? null : decisionMoment();
}

async function bookRefused(due: Due, because: string): Promise<void> {
  const now = await holdApproved(due.id);
  if (now === null) return;
  log.error({ event: 'payout_refused', payout: due.id, message: because });
  await sql`update payout set status = 'failed', because = ${because}, changed_at = ${now} where id = ${due.id}`.execute(
    database(),
  );
  await bookFailed(due, because, now);
}

/** What a payout is booked and told by. */
export type Booked = Pick<Due, 'id' | 'owner' | 'portfolioId' | 'currencyId' | 'amountMinor'>;

/** Makes what a payout that came to nothing had taken payable again, and tells its owner why; the caller has set its state in the same transaction. */
export async function bookFailed(
  { id, owner, portfolioId, currencyId, amountMinor }: Booked,
  because: string | null,
  now: Date,
): Promise<void> {
  await post(
    { key: `payout-failed:${id}`, kind: 'payout-failed', currencyId, payoutId: id, portfolioId },
    [
      { owner, kind: 'payouts', amountMinor: -amountMinor },
      { owner, kind: portfolioId === null ? 'affiliate-payable' : 'payable', amountMinor },
    ],
    now,
  );
  await noteEvents([
    {
      kind: 'payout',
      key: `payout:${id}:failed`,
      at: now,
      portfolioId,
      accountId: owner,
      details: { what: 'failed', amountMinor, currencyId, because },
    },
  ]);
}

async function bookPaid({ id, owner, portfolioId, currencyId, amountMinor }: Due): Promise<void> {
  const now = await holdApproved(id);
  if (now === null) return;
  await sql`update payout set status = 'paid', changed_at = ${now} where id = ${id}`.execute(database());
  await post(
    { key: `paid-out:${id}`, kind: 'paid-out', currencyId, payoutId: id, portfolioId },
    [
      { owner, kind: 'payouts', amountMinor: -amountMinor },
      { owner: null, kind: 'clearing', amountMinor },
    ],
    now,
  );
  await noteEvents([
    {
      kind: 'payout',
      key: `payout:${id}:paid`,
      at: now,
      portfolioId,
      accountId: owner,
      details: { what: 'paid', amountMinor, currencyId, because: null },
    },
  ]);
}
