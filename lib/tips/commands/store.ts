import 'server-only';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '@/lib/access/schema';
import type { EachWayTerms } from '@/lib/odds/schema';
import { noteEvents } from '@/lib/events/commands';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { hashOfRequest } from '@/lib/platform/idempotency';
import { Failure } from '@/lib/platform/errors';
import { newReference } from '@/lib/platform/reference';
import type { PortfolioView } from '@/lib/portfolios/schema';
import { recordTips } from '@/lib/record/commands';
import type { DetailedPublication } from '@/lib/record/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { eachWayTermsOf } from '../queries/each-way';
import type { OfferedLeg } from '../queries/legs';
import { minPriceProblem } from '../rules/min-price';
import { publicationOf, settlementDueAt } from '../rules/publication';
import type { tipInputSchema } from '../schema';

/** A tip that was published: its reference and the moment of its publication. */
export type PublishedTip = { id: number; reference: string; publishedAt: string };

/** A tip that is asked for, in the portfolio that it is to be published in. */
export type AskedTip = {
  viewer: Viewer;
  portfolio: PortfolioView;
  input: z.output<typeof tipInputSchema>;
  requestHash: string;
  reference: string;
};

/** A tip with the moment of its publication and its legs as they stood then. */
export type JudgedTip = AskedTip & { at: Date; legs: OfferedLeg[] };

/** What is asked for, open to everybody where the portfolio has no plan on sale, with a reference of its own and the hash by which a repetition is known. */
export function askedTip(viewer: Viewer, portfolio: PortfolioView, input: AskedTip['input']): AskedTip {
  // Product §8: what nobody could buy is locked for nobody, whatever the portfolio becomes later.
  const own = { ...input, free: input.free || !portfolio.sells };
  return { viewer, portfolio, input: own, requestHash: hashOfRequest(input), reference: newReference() };
}

/** The attempt that an asked tip is, as text. */
export const attemptOf = ({ portfolio, input }: Pick<AskedTip, 'portfolio' | 'input'>): string =>
  `${portfolio.id}|${input.idempotencyKey}`;

/** What earlier attempts of these names have published, by `attemptOf`; the caller holds the portfolios. */
export async function findPublished(
  asked: readonly AskedTip[],
): Promise<Map<string, PublishedTip & { requestHash: string }>> {
  const { rows } = await sql<{
    id: number;
    reference: string;
    publishedAt: Date;
    requestHash: string;
    attempt: string;
  }>`
    select id, reference, published_at as "publishedAt", request_hash as "requestHash", portfolio_id || '|' || idempotency_key as attempt from tip
    where (portfolio_id, idempotency_key) in (
      select * from unnest(${asked.map(({ portfolio }) => portfolio.id)}::int[], ${asked.map(({ input }) => input.idempotencyKey)}::text[]))
  `.execute(database());
  return new Map(
    rows.map(({ attempt, publishedAt, ...tip }) => [attempt, { ...tip, publishedAt: publishedAt.toISOString() }]),
  );
}

// Ours (0016): what is personal is nobody's business, and never enters the public record.
/** True for a portfolio whose tips enter the public record. */
export const isRecorded = ({ type }: Pick<PortfolioView, 'type'>): boolean => type !== PortfolioVisibility.personal;

const isSecret = ({ input }: AskedTip) => input.hidden || !input.free;

type SealedTip = JudgedTip & { terms: (EachWayTerms | null)[]; firstStartsAt: Date; publication: DetailedPublication };

/** Stores tips with their legs as they stood at their moments and appends those that are on the record to it, in the order given. Failure 'invalid' for an each-way tip that cannot be one and a least price above the price taken. */
export async function storeTips(tips: readonly JudgedTip[]): Promise<PublishedTip[]> {
  const terms = await eachWayTermsOf(tips.map(({ input, legs }) => ({ eachWay: input.eachWay, legs })));
  const sealed = tips.map((tip, index) => sealedTip(tip, terms[index] ?? []));
  const ids = await insertTips(sealed);
  const numbered = sealed.map((tip) => ({ ...tip, tipId: ids.get(tip.reference) ?? 0 }));
  await recordTips(
    numbered
      .filter(({ portfolio }) => isRecorded(portfolio))
      .map((tip) => ({
        subject: { portfolio: tip.portfolio.reference, tip: tip.reference },
        tipId: tip.tipId,
        publication: tip.publication,
        opensAt: isSecret(tip) ? tip.firstStartsAt : null,
        at: tip.at,
      })),
  );
  await noteEvents(
    numbered
      .filter(({ portfolio }) => isRecorded(portfolio))
      .map(({ tipId, portfolio, at }) => ({ kind: 'tip', key: `tip:${tipId}`, at, tipId, portfolioId: portfolio.id })),
  );
  await forget([
    'tips',
    ...tips.map(({ portfolio }) => `portfolio:${portfolio.reference}`),
    ...tips.flatMap(({ legs }) => legs.map(({ fixtureReference }) => `tips-on:${fixtureReference}`)),
  ]);
  return numbered.map(({ tipId, reference, at }) => ({ id: tipId, reference, publishedAt: at.toISOString() }));
}

function sealedTip(tip: JudgedTip, terms: (EachWayTerms | null)[]): SealedTip {
  const { legs, input } = tip;
  const { stakeHundredths, eachWay, free, analysis, minPrice } = input;
  const problem = minPriceProblem(minPrice, legs);
  if (problem) throw new Failure('invalid', problem, { minPrice: problem });
  const publication = publicationOf({
    ...{ legs, terms, stakeHundredths, eachWay, free, minPrice },
    analysisHash: createHash('sha256').update(analysis).digest('hex'),
  });
  return {
    ...tip,
    terms,
    firstStartsAt: new Date(Math.min(...legs.map(({ startsAt }) => startsAt.getTime()))),
    publication,
  };
}

/** Stores tips, their legs and that they wait for settlement, in one statement, since whoever publishes next waits meanwhile; gives their ids by reference. */
async function insertTips(tips: readonly SealedTip[]): Promise<Map<string, number>> {
  const inputs = tips.map(({ input }) => input);
  const legs = tips.flatMap((tip) =>
    tip.legs.map((leg, index) => ({
      ...leg,
      reference: tip.reference,
      position: index + 1,
      terms: tip.terms[index] ?? null,
    })),
  );
  const { rows } = await sql<{ id: number; reference: string }>`
    with made as (
      insert into tip (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication)
      select reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication
      from unnest(${tips.map(({ reference }) => reference)}::text[], ${tips.map(({ portfolio }) => portfolio.id)}::int[], ${inputs.map((input) => input.idempotencyKey)}::text[],
        ${tips.map(({ requestHash }) => requestHash)}::text[], ${tips.map(({ at }) => at)}::timestamptz[], ${tips.map(({ firstStartsAt }) => firstStartsAt)}::timestamptz[],
        ${inputs.map((input) => input.stakeHundredths)}::int[], ${inputs.map((input) => input.eachWay)}::bool[], ${inputs.map((input) => input.free)}::bool[],
        ${inputs.map((input) => input.hidden)}::bool[], ${inputs.map((input) => input.analysis)}::text[], ${tips.map(({ publication }) => JSON.stringify(publication))}::jsonb[])
        with ordinality as t (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication, place)
      order by place
      returning id, reference, portfolio_id
    ),
    backed as (
      insert into tip_leg (tip_id, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, numerator, denominator, price_at, starts_at,
        each_way_places, each_way_numerator, each_way_denominator, each_way_basis)
      select made.id, leg.position, fixture_id, market_id, selection_id, bookmaker_id, odds, numerator, denominator, price_at, starts_at, places, place_numerator, place_denominator, basis
      from unnest(
        ${legs.map(({ reference }) => reference)}::text[], ${legs.map(({ position }) => position)}::smallint[], ${legs.map((leg) => leg.fixtureId)}::int[], ${legs.map((leg) => leg.marketId)}::int[],
        ${legs.map((leg) => leg.selectionId)}::int[], ${legs.map((leg) => leg.bookmakerId)}::int[], ${legs.map((leg) => leg.price.oddsThousandths)}::int[],
        ${legs.map((leg) => leg.price.fraction?.numerator ?? null)}::int[], ${legs.map((leg) => leg.price.fraction?.denominator ?? null)}::int[],
        ${legs.map((leg) => leg.priceAt)}::timestamptz[], ${legs.map((leg) => leg.startsAt)}::timestamptz[],
        ${legs.map(({ terms }) => terms?.places ?? null)}::smallint[], ${legs.map(({ terms }) => terms?.fraction.numerator ?? null)}::smallint[],
        ${legs.map(({ terms }) => terms?.fraction.denominator ?? null)}::smallint[], ${legs.map(({ terms }) => terms?.basis ?? null)}::text[])
        as leg (reference, position, fixture_id, market_id, selection_id, bookmaker_id, odds, numerator, denominator, price_at, starts_at, places, place_numerator, place_denominator, basis)
      join made using (reference)
    ),
    opened as (
      insert into open_tip (tip_id, due_at, portfolio_id)
      select made.id, due_at, made.portfolio_id from unnest(${tips.map(({ reference }) => reference)}::text[], ${tips.map(({ legs: own }) => settlementDueAt(own))}::timestamptz[]) as waiting (reference, due_at)
      join made using (reference)
    )
    select id, reference from made
  `.execute(database());
  return new Map(rows.map(({ id, reference }) => [reference, id]));
}
