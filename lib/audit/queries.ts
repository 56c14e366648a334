import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { AuditFinding, AuditPart } from './schema';

/** What differs from the record by the last finished pass of each part and by the pass under way, first what was found first. */
export async function listFindings(limit = 100): Promise<AuditFinding[]> {
  const { rows } = await sql<{ part: AuditPart; problem: string; foundAt: Date }>`
    select part, problem, min(found_at) as "foundAt" from audit_finding join audit_progress using (part)
    where audit_finding.pass_at >= coalesce(last_pass_at, audit_progress.pass_at)
    group by part, problem order by min(audit_finding.id) limit ${limit}
  `.execute(database());
  return rows.map(({ part, problem, foundAt }) => ({ part, problem, foundAt: foundAt.toISOString() }));
}
