import 'server-only';
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isOwner } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { getPortfolio } from '@/lib/portfolios/queries';
import { commitEntry, publishEntry } from '@/lib/record/commands';
import { listBookmakers } from '@/lib/reference/queries';
import { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { sports } from '@/lib/reference/schema/sports';
import { openTip } from '@/lib/settlement/commands/open-tips';
import { eachWayTermsOf } from './commands/each-way';
import { findOfferedLegs, type OfferedLeg } from './commands/legs';
import { publicationOf } from './rules';
import { type TipInput, tipInputSchema } from './schema';

/** A tip that was published: its reference and the moment, by the server's clock. */
export type PublishedTip = { id: number; reference: string; publishedAt: string };

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const newReference = () => [...randomBytes(10)].map((byte) => alphabet[byte % alphabet.length]).join('');

/**
 * Product §5: publishes a tip in the viewer's portfolio at prices really on offer at `now`, before the start of every leg, and appends it
 * to the record. The same idempotency key again answers with the same tip. Failure 'missing', 'forbidden', 'invalid', or 'conflict' for a
 * started fixture, a moved price (`details.moved`) and a key that was used for another tip.
 */
export async function publishTip(viewer: Viewer, portfolioReference: string, given: TipInput, now: Date): Promise<PublishedTip> {
  const portfolio = await getPortfolio(viewer, portfolioReference);
  if (!isOwner(viewer, portfolio)) throw new Failure('forbidden', 'Only the owner of a portfolio publishes in it.');
  if (portfolio.abandoned) throw new Failure('conflict', 'This portfolio was abandoned. Publish in another one.');
  const input = tipInputSchema.parse(given);
  const requestHash = hash(JSON.stringify(input));
  const bookmakers = await listBookmakers();
  return transact(async () => {
    await sql`select 1 from portfolio where id = ${portfolio.id} for update`.execute(database());
    const before = await findByKey(portfolio.id, input.idempotencyKey);
    if (before && before.requestHash !== requestHash) throw new Failure('conflict', 'This idempotency key was used for another tip. Send the tip with a new key.');
    if (before) return { id: before.id, reference: before.reference, publishedAt: before.publishedAt.toISOString() };
    const legs = await findOfferedLegs(input.legs, { bookmakers, countryId: viewer.countryId }, now);
    const terms = await Promise.all(legs.map((leg, index) => (input.eachWay ? eachWayTermsOf(leg, index) : null)));
    const firstStartsAt = new Date(Math.min(...legs.map(({ startsAt }) => startsAt.getTime())));
    const tip = await insertTip(portfolio.id, input, { requestHash, firstStartsAt, now });
    await insertLegs(tip.id, legs, terms);
    await openTip(tip.id, dueAt(legs));
    const { stakeHundredths, eachWay, free, analysis } = input;
    const publication = publicationOf({ legs, terms, stakeHundredths, eachWay, free, analysisHash: hash(analysis) });
    const secret = input.hidden || (portfolio.type === PortfolioVisibility.premium && !input.free) || portfolio.type === PortfolioVisibility.personal;
    const subject = { portfolio: portfolio.reference, tip: tip.reference };
    if (secret) await commitEntry(subject, { tipId: tip.id, publication, opensAt: firstStartsAt }, now);
    else await publishEntry(subject, publication, now);
    await forget(['tips', `portfolio:${portfolio.reference}`]);
    return { ...tip, publishedAt: now.toISOString() };
  });
}

type KnownTip = { id: number; reference: string; publishedAt: Date; requestHash: string };

async function findByKey(portfolioId: number, key: string): Promise<KnownTip | null> {
  const { rows } = await sql<KnownTip>`
    select id, reference, published_at as "publishedAt", request_hash as "requestHash" from tip
    where portfolio_id = ${portfolioId} and idempotency_key = ${key}
  `.execute(database());
  return rows[0] ?? null;
}

type Stamp = { requestHash: string; firstStartsAt: Date; now: Date };

async function insertTip(portfolioId: number, input: ReturnType<typeof tipInputSchema.parse>, { requestHash, firstStartsAt, now }: Stamp): Promise<{ id: number; reference: string }> {
  const reference = newReference();
  const { rows } = await sql<{ id: number }>`
    insert into tip (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis)
    values (${reference}, ${portfolioId}, ${input.idempotencyKey}, ${requestHash}, ${now}, ${firstStartsAt}, ${input.stakeHundredths},
      ${input.eachWay}, ${input.free}, ${input.hidden}, ${input.analysis})
    returning id
  `.execute(database());
  return { id: rows[0]?.id ?? 0, reference };
}

async function insertLegs(tipId: number, legs: readonly OfferedLeg[], terms: readonly (Awaited<ReturnType<typeof eachWayTermsOf>> | null)[]): Promise<void> {
  await sql`
    insert into tip_leg (tip_id, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, numerator, denominator, price_at, starts_at,
      each_way_places, each_way_numerator, each_way_denominator, each_way_basis)
    select ${tipId}, * from unnest(
      ${legs.map((_, index) => index + 1)}::smallint[], ${legs.map((leg) => leg.fixtureId)}::int[], ${legs.map((leg) => leg.marketId)}::int[],
      ${legs.map((leg) => leg.selectionId)}::int[], ${legs.map((leg) => leg.bookmakerId)}::int[], ${legs.map((leg) => leg.price.oddsThousandths)}::int[],
      ${legs.map((leg) => leg.price.fraction?.numerator ?? null)}::int[], ${legs.map((leg) => leg.price.fraction?.denominator ?? null)}::int[],
      ${legs.map((leg) => leg.priceAt)}::timestamptz[], ${legs.map((leg) => leg.startsAt)}::timestamptz[],
      ${terms.map((own) => own?.places ?? null)}::smallint[], ${terms.map((own) => own?.fraction.numerator ?? null)}::smallint[],
      ${terms.map((own) => own?.fraction.denominator ?? null)}::smallint[], ${terms.map((own) => own?.basis ?? null)}::text[])
  `.execute(database());
}

// Spec §3: a tip is looked at when the last of its fixtures is asked for its result.
function dueAt(legs: readonly OfferedLeg[]): Date {
  const due = legs.map(({ sportId, startsAt }) => startsAt.getTime() + (sports.find(({ id }) => id === sportId)?.minutesBeforeResult ?? 0) * 60_000);
  return new Date(Math.max(...due));
}
