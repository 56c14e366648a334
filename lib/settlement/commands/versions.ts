import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { appendEntries, holdLedger } from '@/lib/record/commands';
import type { SettlingTip } from '../queries/legs';
import { settleTip } from '../rules/tip';
import type { TipSettlement } from '../schema';

type Settled = Extract<TipSettlement, { kind: 'settled' }>;

/** A tip, or another bet, with what became of it at its own stake and at the level one. */
export type SettledVersion<T = SettlingTip> = { tip: T; settlement: Settled; level: Settled };

type Settling = Pick<SettlingTip, 'input'>;

/** Why a tip gets another settlement than that of its result, and the role of whoever ordered it. */
export type Ruling = { reason: string; actor: 'system' | 'admin' | 'super-admin' };

const levelStakeHundredths = 100;

/** Settles a tip at both stakes as `settle` does; null while it cannot be decided. */
export function atBothStakes<T extends Settling>(tip: T, settle: (input: T['input']) => TipSettlement): SettledVersion<T> | null {
  const settlement = settle(tip.input);
  const level = settle({ ...tip.input, stakeHundredths: levelStakeHundredths });
  return settlement.kind === 'settled' && level.kind === 'settled' ? { tip, settlement, level } : null;
}

/** Settles a tip by the results as known at `now`; null while it cannot be decided. */
export const byResult = <T extends Settling>(tip: T, now: Date): SettledVersion<T> | null => atBothStakes(tip, (input) => settleTip(input, now));

/** What stood at risk, in hundredths: nothing of what was void. */
export const stakedOf = ({ outcome, stakedHundredths }: Settled) => (outcome === 'void' ? 0 : stakedHundredths);

function contentOf({ tip, settlement }: SettledVersion) {
  return {
    version: tip.settledVersion + 1,
    outcome: settlement.outcome,
    stakedHundredths: stakedOf(settlement),
    profitMicrounits: settlement.profitMicrounits,
    legs: tip.legs.map(({ fixtureReference }, index) => {
      const leg = settlement.legs[index];
      return { fixture: fixtureReference, outcome: leg?.kind === 'settled' ? leg.outcome : 'undecided', rule: leg?.rule ?? '' };
    }),
  };
}

async function appendVersions(versions: readonly SettledVersion[], ruling: Ruling | null, now: Date): Promise<Map<number, number>> {
  const recorded = versions.filter(({ tip }) => tip.isRecorded);
  const entries = await appendEntries(
    recorded.map((version) => {
      const { portfolioReference, reference, settledVersion } = version.tip;
      const subject = { at: now.toISOString(), portfolio: portfolioReference, tip: reference };
      if (!ruling) return { ...subject, kind: 'tip-settled', content: contentOf(version) };
      return { ...subject, kind: 'tip-corrected', content: { ...contentOf(version), supersedes: settledVersion === 0 ? null : settledVersion, ...ruling } };
    }),
  );
  return new Map(recorded.map(({ tip }, index) => [tip.tipId, entries[index]?.sequence ?? 0]));
}

/**
 * Holds the portfolios of these tips until the transaction ends: their tips are published, settled and counted in turn; and after them the
 * end of the ledger, in the order of everybody. Gives the moment at which they are settled, which is never before that of an earlier
 * settlement. Failure 'unavailable' as with `holdLedger`: the tips wait for a later run.
 */
export async function holdPortfolios(tipIds: readonly number[]): Promise<Date> {
  await sql`
    select 1 from portfolio where id in (select portfolio_id from tip where id = any(${[...tipIds]}::int[])) order by id for update
  `.execute(database());
  return holdLedger();
}

/** Stores the next version of each tip's settlement beside the earlier ones, and on the public record where the tip is on it. */
export async function storeVersions(versions: readonly SettledVersion[], ruling: Ruling | null, now: Date): Promise<void> {
  const sequences = await appendVersions(versions, ruling, now);
  await sql`
    insert into tip_settlement (tip_id, version, sequence, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths,
      level_profit_microunits, legs, results, reason, actor, settled_at)
    select tip_id, version, sequence, outcome, staked, returned, profit, level_staked, level_profit, legs, results, ${ruling?.reason ?? null}, ${ruling?.actor ?? 'system'}, ${now}
    from unnest(
      ${versions.map(({ tip }) => tip.tipId)}::int[], ${versions.map(({ tip }) => tip.settledVersion + 1)}::int[], ${versions.map(({ tip }) => sequences.get(tip.tipId) ?? null)}::int[],
      ${versions.map(({ settlement }) => settlement.outcome)}::text[], ${versions.map(({ settlement }) => stakedOf(settlement))}::int[],
      ${versions.map(({ settlement }) => settlement.returnMicrounits)}::bigint[], ${versions.map(({ settlement }) => settlement.profitMicrounits)}::bigint[],
      ${versions.map(({ level }) => stakedOf(level))}::int[], ${versions.map(({ level }) => level.profitMicrounits)}::bigint[],
      ${versions.map(({ settlement }) => JSON.stringify(settlement.legs))}::jsonb[],
      ${versions.map(({ tip }) => JSON.stringify(Object.fromEntries(tip.legs.map(({ fixtureId, resultVersion }) => [fixtureId, resultVersion]))))}::jsonb[])
      with ordinality as t (tip_id, version, sequence, outcome, staked, returned, profit, level_staked, level_profit, legs, results, place)
    order by place
  `.execute(database());
}

/** Drops what is remembered of tips that were settled. */
export async function forgetTips(versions: readonly SettledVersion[]): Promise<void> {
  await forget(['tips', 'standings', ...versions.map(({ tip }) => `portfolio:${tip.portfolioReference}`)]);
}
