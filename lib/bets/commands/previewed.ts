import 'server-only';
import { sql } from 'kysely';
import type { CurrencyId } from '@/lib/reference/schema';
import { database } from '@/lib/platform/database';
import { byResult } from '@/lib/settlement/commands';
import { readBets } from './settle';

/** Members' bets that change alike: their outcome before (null while they are open) and after, how many they are, and their profit in minor units of the currency, rounded. */
export type PreviewedBets = {
  currencyId: CurrencyId;
  before: string | null;
  after: string;
  count: number;
  profitMinorBefore: number;
  profitMinorAfter: number;
};

type Known = { id: number; currencyId: CurrencyId; outcome: string | null; profit: string | null };

const microunitsInMinor = 10_000;

/**
 * Product §11: what becomes of members' own bets on a fixture by what is known of it now, so many at most: as `settleDueBets` and
 * `resettleCorrectedBets` would settle them, by the same rules. Holds and writes nothing.
 */
export async function previewBets(fixtureId: number, now: Date, most: number): Promise<PreviewedBets[]> {
  const { rows } = await sql<Known>`
    select bet.id, currency_id as "currencyId", latest.outcome, latest.profit_microunits::text as profit
    from (select distinct bet_id from bet_leg where fixture_id = ${fixtureId} order by bet_id limit ${most}) on_it join bet on bet.id = bet_id
    left join lateral (select * from bet_settlement where bet_id = bet.id order by version desc limit 1) latest on true
  `.execute(database());
  const known = new Map(rows.map((row) => [row.id, row]));
  const groups = new Map<string, PreviewedBets>();
  for (const bet of await readBets([...known.keys()])) {
    const last = known.get(bet.betId);
    const settled = byResult(bet, now)?.settlement;
    if (!last || !settled || (last.outcome === settled.outcome && last.profit === settled.profitMicrounits)) continue;
    const key = `${last.currencyId} ${last.outcome} ${settled.outcome}`;
    const group = groups.get(key) ?? {
      currencyId: last.currencyId,
      before: last.outcome,
      after: settled.outcome,
      count: 0,
      profitMinorBefore: 0,
      profitMinorAfter: 0,
    };
    group.count += 1;
    group.profitMinorBefore += Number(last.profit ?? 0) / microunitsInMinor;
    group.profitMinorAfter += Number(settled.profitMicrounits) / microunitsInMinor;
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({
    ...group,
    profitMinorBefore: Math.round(group.profitMinorBefore),
    profitMinorAfter: Math.round(group.profitMinorAfter),
  }));
}
