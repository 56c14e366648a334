import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { AuditStep } from '../schema';

/** The last entry that was looked at. */
export type EntryPlace = { sequence: number };

/** Goes through the next so many entries: each names a tip that is there, in its portfolio. */
export async function auditEntries(after: EntryPlace | null, limit: number): Promise<AuditStep<EntryPlace>> {
  const { rows } = await sql<{ sequence: number; hasTip: boolean }>`
    select sequence, ledger_entry.tip is null or exists (
      select from tip join portfolio on portfolio.id = portfolio_id where tip.reference = ledger_entry.tip and portfolio.reference = ledger_entry.portfolio) as "hasTip"
    from ledger_entry where sequence > ${after?.sequence ?? 0} order by sequence limit ${limit}
  `.execute(database());
  const problems = rows.filter(({ hasTip }) => !hasTip).map(({ sequence }) => `Entry ${sequence} of the ledger names a tip that its portfolio does not have.`);
  const last = rows.at(-1);
  return { problems, next: last && rows.length === limit ? { sequence: last.sequence } : null };
}
