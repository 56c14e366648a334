import 'server-only';
import { sql } from 'kysely';
import { readMarketPrices } from '@/lib/odds/queries/market-prices';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { appendEntries } from '@/lib/record/commands';
import type { LegFacts, Settlement } from '@/lib/record/schema';
import type { SettlingTip } from '../queries/legs';
import { factsOf, settlementContent, stakedOf } from '../rules/sealed';
import { type DecidedTip, decideTip, type SettledTip, settledAt } from '../rules/tip';

/** A tip, or another bet, with what became of it at its own stake and at the level one. */
export type SettledVersion<T = SettlingTip> = { tip: T; settlement: SettledTip; level: SettledTip };

type Settling = Pick<SettlingTip, 'input'>;

/** Why a tip gets another settlement than that of its result, and the role of whoever ordered it. */
export type Ruling = { reason: string; actor: 'system' | 'admin' | 'super-admin' };

const levelStakeHundredths = 100;

/** What a decided tip comes to at both stakes. */
export const atBothStakes = <T extends Settling>(tip: T, decided: DecidedTip): SettledVersion<T> => ({
  tip,
  settlement: settledAt(tip.input.stakeHundredths, decided),
  level: settledAt(levelStakeHundredths, decided),
});

/** Settles a tip by the results as known at `now`; null while it cannot be decided. */
export function byResult<T extends Settling>(tip: T, now: Date): SettledVersion<T> | null {
  const decided = decideTip(tip.input, now);
  return decided.kind === 'decided' ? atBothStakes(tip, decided) : null;
}

/** Holds the portfolios of these tips until the transaction ends: their tips are published, settled and counted in turn. Taken before the end of the ledger, by everybody. */
export async function holdPortfolios(tipIds: readonly number[]): Promise<void> {
  await sql`
    select 1 from portfolio where id in (select portfolio_id from tip where id = any(${[...tipIds]}::int[])) order by id for update
  `.execute(database());
}

/** A settled version with what it was computed from, ready to be sealed. */
export type FactualVersion = SettledVersion & { facts: LegFacts[] };

/** Product §7: settled versions with what the market offered on each of their legs; read before the end of the ledger is held, as it takes a while. */
export async function withFacts(versions: readonly SettledVersion[]): Promise<FactualVersion[]> {
  const prices = await readMarketPrices(versions.flatMap(({ tip }) => tip.legs));
  let before = 0;
  return versions.map((version) => {
    const own = prices.slice(before, (before += version.tip.legs.length));
    return { ...version, facts: factsOf(version.settlement.legs, own) };
  });
}

/** Where a settlement belongs on the record, and whether it does. */
export type Sealing = Pick<SettlingTip, 'tipId' | 'reference' | 'portfolioReference' | 'isRecorded' | 'settledVersion'>;

/** Seals settlements on the public record, all of the same moment, those aside that are not on it; gives the place of each by its tip. */
export async function sealSettlements(settlements: readonly { tip: Sealing; content: Settlement }[], ruling: Ruling | null, at: Date): Promise<Map<number, number>> {
  const recorded = settlements.filter(({ tip }) => tip.isRecorded);
  const entries = await appendEntries(
    recorded.map(({ tip, content }) => {
      const subject = { at: at.toISOString(), portfolio: tip.portfolioReference, tip: tip.reference };
      if (!ruling) return { ...subject, kind: 'tip-settled', content };
      return { ...subject, kind: 'tip-corrected', content: { ...content, supersedes: tip.settledVersion === 0 ? null : tip.settledVersion, ...ruling } };
    }),
  );
  return new Map(recorded.map(({ tip }, index) => [tip.tipId, entries[index]?.sequence ?? 0]));
}

/** Stores the next version of each tip's settlement, dated `at`, beside the earlier ones, and on the public record where the tip is on it. The caller holds the end of the ledger since `at`. */
export async function storeVersions(versions: readonly FactualVersion[], ruling: Ruling | null, at: Date): Promise<void> {
  const sequences = await sealSettlements(
    versions.map(({ tip, settlement, facts }) => ({ tip, content: settlementContent(settlement, tip.legs.map(({ fixtureReference }) => fixtureReference), facts, tip.settledVersion + 1) })),
    ruling,
    at,
  );
  await sql`
    insert into tip_settlement (tip_id, version, sequence, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths,
      level_profit_microunits, legs, facts, results, reason, actor, settled_at)
    select tip_id, version, sequence, outcome, staked, returned, profit, level_staked, level_profit, legs, facts, results, ${ruling?.reason ?? null}, ${ruling?.actor ?? 'system'},
      -- The end of the ledger does not go back, but what is on no record leaves no trace there; no day that was counted is gone back to.
      case when sequence is null then greatest(${at}, (select max(settled_at) from tip_settlement before join tip other on other.id = before.tip_id where other.portfolio_id = (select portfolio_id from tip where id = t.tip_id))) else ${at} end
    from unnest(
      ${versions.map(({ tip }) => tip.tipId)}::int[], ${versions.map(({ tip }) => tip.settledVersion + 1)}::int[], ${versions.map(({ tip }) => sequences.get(tip.tipId) ?? null)}::int[],
      ${versions.map(({ settlement }) => settlement.outcome)}::text[], ${versions.map(({ settlement }) => stakedOf(settlement))}::int[],
      ${versions.map(({ settlement }) => settlement.returnMicrounits)}::numeric[], ${versions.map(({ settlement }) => settlement.profitMicrounits)}::numeric[],
      ${versions.map(({ level }) => stakedOf(level))}::int[], ${versions.map(({ level }) => level.profitMicrounits)}::numeric[],
      ${versions.map(({ settlement }) => JSON.stringify(settlement.legs))}::jsonb[], ${versions.map(({ facts }) => JSON.stringify(facts))}::jsonb[],
      ${versions.map(({ tip }) => JSON.stringify(Object.fromEntries(tip.legs.map(({ fixtureId, resultVersion }) => [fixtureId, resultVersion]))))}::jsonb[])
      with ordinality as t (tip_id, version, sequence, outcome, staked, returned, profit, level_staked, level_profit, legs, facts, results, place)
    order by place
  `.execute(database());
}

/** Drops what is remembered of tips that were settled. */
export async function forgetTips(portfolioReferences: readonly string[]): Promise<void> {
  await forget(['tips', 'standings', ...portfolioReferences.map((reference) => `portfolio:${reference}`)]);
}
