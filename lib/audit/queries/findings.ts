import 'server-only';
import { sql } from 'kysely';
import { cached } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { type AuditFinding, type AuditPart, auditParts } from '../schema';

/** What differs from the record by the last finished pass of each part and by the pass under way, first what was found first. */
export async function listFindings(limit = 100): Promise<AuditFinding[]> {
  const { rows } = await sql<{ part: AuditPart; problem: string; foundAt: Date }>`
    select part, problem, min(found_at) as "foundAt" from audit_finding join audit_progress using (part)
    where audit_finding.pass_at >= coalesce(last_pass_at, audit_progress.pass_at)
    group by part, problem order by min(audit_finding.id) limit ${limit}
  `.execute(database());
  return rows.map(({ part, problem, foundAt }) => ({ part, problem, foundAt: foundAt.toISOString() }));
}

const ttlSeconds = 600;

/** Whether anything differs from the record, as everybody is told. */
export async function hasFindings(): Promise<boolean> {
  return cached('ledger:differs', ttlSeconds, ['ledger'], async () => (await listFindings(1)).length > 0);
}

/** Ours (0108): how long a finished pass of a part speaks for the record, in days from its beginning. */
const passCountsDays = 30;

/** True when every part of the audit has been gone through to its end by a pass that began in the last 30 days. */
export async function isWholeRecordAudited(now: Date): Promise<boolean> {
  const { rows } = await sql<{
    parts: number;
  }>`select count(*)::int as parts from audit_progress where last_pass_at > ${now}::timestamptz - make_interval(days => ${passCountsDays}) and part = any(${[...auditParts]}::text[])`.execute(
    database(),
  );
  return rows[0]?.parts === auditParts.length;
}
