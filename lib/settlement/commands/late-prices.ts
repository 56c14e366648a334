import 'server-only';
import { sql } from 'kysely';
import { readMarketPrices } from '@/lib/fixtures/queries';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { lockLedger } from '@/lib/record/commands';
import type { DetailedPublication, LegFacts, LegSettlement, Settlement } from '@/lib/record/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { computeDueStandings, deferStandings, foldSettledTips } from '@/lib/stats/commands';
import { latePricesReason } from '../rules/sealed';
import { waitForClaims } from './open-tips';
import { contentToSeal, lockPortfolios, sealSettlements, type Sealing, tipsAtOnce } from './versions';

type Row = Omit<Sealing, 'isRecorded'> & {
  visibility: PortfolioVisibility;
  publishedAt: Date;
  publication: DetailedPublication;
  outcome: string;
  staked: number;
  profit: string;
  legs: LegSettlement[];
  facts: LegFacts[];
  selectionIds: number[];
  bookmakerIds: number[];
};

async function readSealed(tipIds: readonly number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select tip.id as "tipId", tip.reference, portfolio.reference as "portfolioReference", portfolio.visibility, latest.version as "settledVersion", tip.published_at as "publishedAt",
      tip.publication, latest.outcome, latest.staked_hundredths as staked, latest.profit_microunits::text as profit, latest.legs, latest.facts,
      legs.selection_ids as "selectionIds", legs.bookmaker_ids as "bookmakerIds"
    from tip join portfolio on portfolio.id = tip.portfolio_id
    join lateral (select * from tip_settlement where tip_id = tip.id order by version desc limit 1) latest on latest.facts is not null
    join lateral (select array_agg(selection_id order by position) as selection_ids, array_agg(bookmaker_id order by position) as bookmaker_ids from tip_leg where tip_id = tip.id) legs on true
    where tip.id = any(${[...tipIds]}::int[])
    order by tip.id
  `.execute(database());
  return rows;
}

async function withPricesNow(rows: readonly Row[]): Promise<(Row & { known: LegFacts[] })[]> {
  const asked = rows.flatMap(({ publication, publishedAt, selectionIds, bookmakerIds }) =>
    publication.legs.map(({ startsAt }, index) => ({
      selectionId: selectionIds[index] ?? 0,
      bookmakerId: bookmakerIds[index] ?? null,
      publishedAt,
      startsAt: new Date(startsAt),
    })),
  );
  const prices = await readMarketPrices(asked);
  let before = 0;
  return rows.map((row) => {
    const own = prices.slice(before, (before += row.publication.legs.length));
    return {
      ...row,
      known: row.facts.map(({ win, place, closing, fairClosing, followers }, index) => ({
        win,
        place,
        ...(own[index] ?? { closing, fairClosing, followers }),
      })),
    };
  });
}

const pricesText = (facts: readonly LegFacts[]) =>
  JSON.stringify(
    facts.map(({ closing, fairClosing, followers: { after5, after15, after60, close } }) =>
      [closing, fairClosing, after5, after15, after60, close].map(
        (price) =>
          price &&
          ('numerator' in price
            ? [price.numerator, price.denominator]
            : [price.oddsThousandths, price.fraction?.numerator, price.fraction?.denominator]),
      ),
    ),
  );

/**
 * Product §7: gives settled tips a new version where the market's prices on their legs are known otherwise than they were sealed: outcome,
 * stake and profit as they were, with the reason. Returns the ids of the tips that changed; who calls counts them anew. Settlements of before
 * sealed no prices and have none to change. Failure 'unavailable' as with `lockLedger`.
 */
export async function resettleForPrices(tipIds: readonly number[]): Promise<number[]> {
  return transact(async () => {
    await lockPortfolios(tipIds);
    const changed = (await withPricesNow(await readSealed(tipIds))).filter(
      ({ facts, known }) => pricesText(facts) !== pricesText(known),
    );
    if (changed.length === 0) return [];
    const versions = changed.map(({ visibility, known, ...row }) => ({
      tipId: row.tipId,
      sealed: contentToSeal(
        { ...row, isRecorded: visibility !== PortfolioVisibility.personal },
        contentOf(row, known),
        { reason: latePricesReason, actor: 'system' },
      ),
    }));
    const at = await lockLedger();
    const sequences = await sealSettlements(versions, at);
    await sql`
      insert into tip_settlement (tip_id, version, sequence, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths,
        level_profit_microunits, legs, facts, results, reason, actor, settled_at)
      select tip_id, latest.version + 1, known.sequence, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths,
        level_profit_microunits, legs, known.facts, results, ${latePricesReason}, latest.actor, greatest(${at}, latest.settled_at)
      from unnest(${changed.map(({ tipId }) => tipId)}::int[], ${changed.map(({ tipId }) => sequences.get(tipId) ?? null)}::int[], ${changed.map(({ known }) => JSON.stringify(known))}::jsonb[])
        with ordinality as known (id, sequence, facts, place)
      join lateral (select * from tip_settlement where tip_id = known.id order by version desc limit 1) latest on true
      order by place
    `.execute(database());
    return changed.map(({ tipId }) => tipId);
  });
}

function contentOf(
  { settledVersion, outcome, staked, profit, legs, publication }: Omit<Row, 'visibility'>,
  facts: readonly LegFacts[],
): Settlement {
  return {
    version: settledVersion + 1,
    outcome,
    stakedHundredths: staked,
    profitMicrounits: profit,
    legs: publication.legs.map(({ fixture }, index) => {
      const leg = legs[index];
      return {
        fixture,
        outcome: leg?.kind === 'settled' ? leg.outcome : 'undecided',
        rule: leg?.rule ?? '',
        facts: facts[index],
      };
    }),
  };
}

const lateBatchSize = 50;

type LateTip = { id: number; portfolioId: number; portfolioReference: string; fixtures: string[] };

/**
 * Product §7: settles anew, and counts anew, the settled tips on fixtures whose closing prices became known late, so many in a transaction, since the end
 * of the ledger is held meanwhile; then their standings. Returns how many. Safe to run twice or at once; what was cut short is begun anew, and finds little to change.
 */
export async function countLateClosings(now: Date): Promise<number> {
  // With the mark of the row as it was written: one that is noted again while its tips are counted stays.
  const { rows: late } = await sql<{ fixtureId: number; mark: string }>`
    select fixture_id as "fixtureId", xmin::text as mark from closing_update late where not exists (
      -- A release before this one settled tips that were still closed: these wait until they are opened.
      select from tip_leg join tip_commitment using (tip_id) join tip_settlement using (tip_id) where fixture_id = late.fixture_id and opened_at is null)
    order by fixture_id limit ${lateBatchSize}
  `.execute(database());
  if (late.length === 0) return 0;
  const fixtureIds = late.map(({ fixtureId }) => fixtureId);
  await transact(() => waitForClaims(fixtureIds));
  const { rows: tips } = await sql<LateTip>`
    select tip.id, portfolio_id as "portfolioId", portfolio.reference as "portfolioReference",
      array(select fixture.reference from tip_leg join fixture on fixture.id = fixture_id where tip_id = tip.id) as fixtures
    from tip join portfolio on portfolio.id = portfolio_id
    where tip.id in (select tip_id from tip_leg where fixture_id = any(${fixtureIds}::int[])) and exists (select 1 from tip_settlement where tip_id = tip.id)
    order by portfolio_id, tip.id
  `.execute(database());
  for (let from = 0; from < tips.length; from += tipsAtOnce) await countAnew(tips.slice(from, from + tipsAtOnce), now);
  await sql`
    delete from closing_update using unnest(${fixtureIds}::int[], ${late.map(({ mark }) => mark)}::text[]) counted (id, mark)
    where fixture_id = counted.id and closing_update.xmin::text = counted.mark
  `.execute(database());
  if (tips.length > 0) await computeDueStandings(now);
  return tips.length;
}

async function countAnew(tips: readonly LateTip[], now: Date): Promise<void> {
  const ids = tips.map(({ id }) => id);
  await transact(async () => {
    await lockPortfolios(ids);
    await deferStandings(tips.map(({ portfolioId }) => portfolioId));
    await resettleForPrices(ids);
    await foldSettledTips(ids, now, { standings: false });
    await forget([
      'tips',
      'standings',
      ...tips.map(({ portfolioReference }) => `portfolio:${portfolioReference}`),
      ...tips.flatMap(({ fixtures }) => fixtures.map((fixture) => `tips-on:${fixture}`)),
    ]);
  });
}
