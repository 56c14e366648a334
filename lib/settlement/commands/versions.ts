import 'server-only';
import { sql } from 'kysely';
import { readMarketPrices } from '@/lib/fixtures/queries';
import { noteEvents } from '@/lib/events/commands';
import { forget } from '@/lib/platform/cache';
import { arrayOf, database, linesOf } from '@/lib/platform/database';
import { mapInTurns } from '@/lib/platform/turns';
import { appendChecked } from '@/lib/record/commands';
import { checkContent, type CheckedContent } from '@/lib/record/rules';
import type { LegFacts, RulingActor, Settlement } from '@/lib/record/schema';
import { type OwnedSettledTip, settledTipsFrom } from '@/lib/stats/queries';
import type { SettledPlace } from '@/lib/stats/rules';
import type { SettlingTip } from '../queries/legs';
import { factsOf, settlementContent, stakedOf } from '../rules/sealed';
import { type DecidedTip, decideTip, stakedAt, type StakedTip } from '../rules/tip';

/** A tip, or another bet, with what became of it at its own stake and at the level one. */
export type SettledVersion<T = SettlingTip> = { bet: T; settlement: StakedTip; level: StakedTip };

type Settling = Pick<SettlingTip, 'input'>;

/** Why a tip gets another settlement than that of its result, and the role of whoever ordered it. */
export type Ruling = { reason: string; actor: RulingActor };

const levelStakeHundredths = 100;

/** What a decided tip comes to at both stakes. */
export const atBothStakes = <T extends Settling>(bet: T, decided: DecidedTip): SettledVersion<T> => ({
  bet,
  settlement: stakedAt(bet.input.stakeHundredths, decided),
  level: stakedAt(levelStakeHundredths, decided),
});

/** Settles a tip by the results as known at `now`; null while it cannot be decided. */
export function byResult<T extends Settling>(bet: T, now: Date): SettledVersion<T> | null {
  const decided = decideTip(bet.input, now);
  return decided.kind === 'decided' ? atBothStakes(bet, decided) : null;
}

/** True when a bet comes to something else than it did by its settlement before. */
export function isOther(before: { outcome: string; profit: string } | undefined, settlement: StakedTip): boolean {
  return before?.outcome !== settlement.outcome || before.profit !== settlement.profitMicrounits;
}

/** How many tips are settled anew in one transaction: whoever publishes waits while their days are counted anew. */
export const tipsAtOnce = 100;

/** Holds the portfolios of these tips until the transaction ends: their tips are published, settled and counted in turn. Taken before the end of the ledger, by everybody. */
export async function lockPortfolios(tipIds: readonly number[]): Promise<void> {
  await sql`
    select 1 from portfolio where id in (select portfolio_id from tip where id = any(${arrayOf(tipIds)}::int[])) order by id for update
  `.execute(database());
}

/** A settled version with what it was computed from, and what the record says of it where it is on the record: ready to be sealed. */
export type FactualVersion = SettledVersion & { facts: LegFacts[]; sealed: CheckedContent | null };

/**
 * Product §7: settled versions with what the market offered on each of their legs, ready for the record; made before the end of the ledger is
 * held, as it takes a while. Throws for one that the record could not hold.
 */
export async function withFacts(versions: readonly SettledVersion[], ruling: Ruling | null): Promise<FactualVersion[]> {
  const prices = await readMarketPrices(versions.flatMap(({ bet }) => bet.legs));
  let before = 0;
  return mapInTurns(versions, (version) => {
    const { bet, settlement } = version;
    const facts = factsOf(settlement.legs, prices.slice(before, (before += bet.legs.length)));
    const content = settlementContent(
      settlement,
      bet.legs.map(({ fixtureReference }) => fixtureReference),
      facts,
      bet.settledVersion + 1,
    );
    return { ...version, facts, sealed: contentToSeal(bet, content, ruling) };
  });
}

/** Where a settlement belongs on the record, and whether it does. */
export type Sealing = Pick<SettlingTip, 'tipId' | 'reference' | 'portfolioReference' | 'isRecorded' | 'settledVersion'>;

/** What the record says of a settlement; null for a tip that is not on it. */
export function contentToSeal(
  { isRecorded, settledVersion, reference, portfolioReference }: Sealing,
  content: Settlement,
  ruling: Ruling | null,
): CheckedContent | null {
  if (!isRecorded) return null;
  const subject = { portfolio: portfolioReference, tip: reference };
  if (!ruling) return checkContent({ ...subject, kind: 'tip-settled', content });
  return checkContent({
    ...subject,
    kind: 'tip-corrected',
    content: { ...content, supersedes: settledVersion === 0 ? null : settledVersion, ...ruling },
  });
}

/** Seals settlements on the public record, all of the same moment, those aside that are not on it; gives the place of each by its tip. The database refuses one whose commitment is closed. */
export async function sealSettlements(
  settlements: readonly { tipId: number; sealed: CheckedContent | null }[],
  at: Date,
): Promise<Map<number, number>> {
  const recorded = settlements.flatMap(({ tipId, sealed }) => (sealed ? [{ tipId, sealed }] : []));
  const entries = await appendChecked(recorded.map(({ sealed }) => ({ checked: sealed, at: at.toISOString() })));
  return new Map(recorded.map(({ tipId }, index) => [tipId, entries[index]?.sequence ?? 0]));
}

type Stored = SettledPlace & { tipId: number };

/** Stores the next version of each tip's settlement, dated `at`, beside the earlier ones, and on the public record where the tip is on it. The caller holds the end of the ledger since `at`. */
export async function storeVersions(
  versions: readonly FactualVersion[],
  ruling: Ruling | null,
  at: Date,
): Promise<Map<number, SettledPlace>> {
  const sequences = await sealSettlements(
    versions.map(({ bet, sealed }) => ({ tipId: bet.tipId, sealed })),
    at,
  );
  const apart = [...new Set(versions.flatMap(({ bet }) => (bet.isRecorded ? [] : [bet.portfolioId])))];
  const { rows } = await sql<Stored>`
    -- The end of the ledger does not go back, but what is on no record leaves no trace there; no day that was counted is gone back to.
    with counted as materialized (
      select portfolio_id, max(settled_at) as until from tip join tip_settlement on tip_id = tip.id where portfolio_id = any(${apart}::int[]) group by portfolio_id
    )
    insert into tip_settlement (tip_id, version, sequence, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths,
      level_profit_microunits, legs, facts, results, reason, actor, settled_at)
    select tip_id, version, sequence, outcome, staked, returned, profit, level_staked, level_profit, legs::jsonb, facts::jsonb, results::jsonb, ${ruling?.reason ?? null}, ${ruling?.actor ?? 'system'},
      case when sequence is null then greatest(${at}, counted.until) else ${at} end
    from rows from (unnest(
      ${arrayOf(versions.map(({ bet }) => bet.tipId))}::int[], ${arrayOf(versions.map(({ bet }) => bet.portfolioId))}::int[], ${arrayOf(versions.map(({ bet }) => bet.settledVersion + 1))}::int[],
      ${arrayOf(versions.map(({ bet }) => sequences.get(bet.tipId) ?? null))}::int[], ${versions.map(({ settlement }) => settlement.outcome)}::text[], ${arrayOf(versions.map(({ settlement }) => stakedOf(settlement)))}::int[],
      ${arrayOf(versions.map(({ settlement }) => settlement.returnMicrounits))}::numeric[], ${arrayOf(versions.map(({ settlement }) => settlement.profitMicrounits))}::numeric[],
      ${arrayOf(versions.map(({ level }) => stakedOf(level)))}::int[], ${arrayOf(versions.map(({ level }) => level.profitMicrounits))}::numeric[]),
      string_to_table(${linesOf(versions.map(({ settlement }) => settlement.legs))}, E'\\n'), string_to_table(${linesOf(versions.map(({ facts }) => facts))}, E'\\n'),
      string_to_table(${linesOf(versions.map(({ bet }) => Object.fromEntries(bet.legs.map(({ fixtureId, resultVersion }) => [fixtureId, resultVersion]))))}, E'\\n'))
      with ordinality as t (tip_id, portfolio_id, version, sequence, outcome, staked, returned, profit, level_staked, level_profit, legs, facts, results, place)
    left join counted using (portfolio_id)
    order by place
    returning tip_id as "tipId", ordinal, settled_at as "settledAt"
  `.execute(database());
  await noteSettled(versions, at);
  return new Map(rows.map((row) => [row.tipId, row]));
}

async function noteSettled(versions: readonly FactualVersion[], at: Date): Promise<void> {
  await noteEvents(
    versions.flatMap(({ bet: { tipId, portfolioId, isRecorded, settledVersion } }) => {
      if (!isRecorded) return [];
      const version = settledVersion + 1;
      const kind = version === 1 ? ('settlement' as const) : ('correction' as const);
      return [{ kind, key: `settlement:${tipId}:${version}`, at, tipId, portfolioId, version }];
    }),
  );
}

/**
 * What statistics count of settled versions: those of tips in `places` in the place of their first settlement, all others as settled for the first
 * time at `now`, made before anything is held and so without a place of their own.
 */
export async function asCounted(
  versions: readonly FactualVersion[],
  now: Date,
  places: ReadonlyMap<number, SettledPlace> = new Map(),
): Promise<OwnedSettledTip[]> {
  return settledTipsFrom(
    versions.map(({ bet: { tipId, portfolioId, publishedAt, publication }, settlement, level, facts }) => {
      const { stakeHundredths, eachWay, legs } = publication;
      const staked = {
        stakedHundredths: stakedOf(settlement),
        profit: settlement.profitMicrounits,
        levelStakedHundredths: stakedOf(level),
        levelProfit: level.profitMicrounits,
      };
      return {
        tipId,
        ...(places.get(tipId) ?? { ordinal: 1, settledAt: now }),
        portfolioId,
        publishedAt,
        stakeHundredths,
        eachWay,
        legs,
        ...staked,
        facts,
        settlement: null,
        selectionIds: null,
      };
    }),
  );
}

/** Drops what is remembered of tips that were settled. */
export async function forgetTips(
  tips: readonly { bet: Pick<SettlingTip, 'portfolioReference' | 'legs'> }[],
): Promise<void> {
  await forget([
    'tips',
    'standings',
    ...tips.map(({ bet }) => `portfolio:${bet.portfolioReference}`),
    ...tips.flatMap(({ bet }) => bet.legs.map(({ fixtureReference }) => `tips-on:${fixtureReference}`)),
  ]);
}
