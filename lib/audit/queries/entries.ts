import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { AuditStep } from '../schema';

/** The last entry that was looked at. */
export type EntryPlace = { sequence: number };

async function problemsOfFollowers(): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    select reference from portfolio left join portfolio_followers kept on kept.portfolio_id = portfolio.id
    left join (select portfolio_id, count(*) as counted from follow group by portfolio_id) own on own.portfolio_id = portfolio.id
    where coalesce(kept.followers, 0) <> coalesce(own.counted, 0) order by reference
  `.execute(database());
  return rows.map(
    ({ reference }) => `The portfolio ${reference} is said to have another number of followers than it has.`,
  );
}

/** Goes through the next so many entries: each names a tip that is there, in its portfolio; and at the end through the numbers of followers. */
export async function auditEntries(after: EntryPlace | null, limit: number): Promise<AuditStep<EntryPlace>> {
  const { rows } = await sql<{ sequence: number; hasTip: boolean }>`
    select sequence, ledger_entry.tip is null or exists (
      select from tip join portfolio on portfolio.id = portfolio_id where tip.reference = ledger_entry.tip and portfolio.reference = ledger_entry.portfolio) as "hasTip"
    from ledger_entry where sequence > ${after?.sequence ?? 0} order by sequence limit ${limit}
  `.execute(database());
  const problems = rows
    .filter(({ hasTip }) => !hasTip)
    .map(({ sequence }) => `Entry ${sequence} of the ledger names a tip that its portfolio does not have.`);
  const last = rows.at(-1);
  if (last && rows.length === limit) return { problems, next: { sequence: last.sequence } };
  return { problems: [...problems, ...(await problemsOfFollowers())], next: null };
}
