import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { readSettlingTips } from '@/lib/settlement/queries';
import { decideTip, settledAt } from '@/lib/settlement/rules';
import type { AuditStep } from '../schema';
import type { TipPlace } from './tips';

type Settled = {
  tipId: number;
  reference: string;
  outcome: string;
  profit: string;
  settledAt: Date;
  isByResults: boolean;
};

/** Goes through the next so many tips: the last settlement by results is what those results come to, where they are still the ones it went by. */
export async function auditSettlements(after: TipPlace | null, limit: number): Promise<AuditStep<TipPlace>> {
  const { rows } = await sql<Settled>`
    select tip.id as "tipId", tip.reference, latest.outcome, latest.profit_microunits::text as profit, latest.settled_at as "settledAt",
      latest.actor = 'system' and not exists (
        select from jsonb_each_text(latest.results) used
        where used.value is distinct from (select max(version)::text from fixture_result where fixture_id = used.key::int)) as "isByResults"
    from tip join lateral (select * from tip_settlement where tip_id = tip.id order by version desc limit 1) latest on true
    where tip.id > ${after?.tipId ?? 0} order by tip.id limit ${limit}
  `.execute(database());
  const stored = new Map(rows.filter(({ isByResults }) => isByResults).map((row) => [row.tipId, row]));
  const problems = (await readSettlingTips([...stored.keys()])).flatMap((tip) => {
    const own = stored.get(tip.tipId);
    if (!own) return [];
    const decided = decideTip(tip.input, own.settledAt);
    const again = decided.kind === 'decided' ? settledAt(tip.input.stakeHundredths, decided) : null;
    return again && again.outcome === own.outcome && again.profitMicrounits === own.profit
      ? []
      : [`The tip ${own.reference} was settled otherwise than by the results as they are stored.`];
  });
  const last = rows.at(-1);
  return { problems, next: last && rows.length === limit ? { tipId: last.tipId } : null };
}
