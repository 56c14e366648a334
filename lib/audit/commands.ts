import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, isDatabaseTrouble, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { findChangedRollups, type PortfolioDay } from '@/lib/stats/queries';
import { auditEntries, type EntryPlace } from './queries/entries';
import { auditGuards } from './queries/guards';
import { auditKept, type KeptPlace } from './queries/kept';
import { auditLedger, type LedgerPlace } from './queries/ledger';
import { auditPrices, type PricePlace } from './queries/prices';
import { auditSettlements } from './queries/settlements';
import { auditTips, type TipPlace } from './queries/tips';
import { type AuditPart, auditParts, type AuditStep } from './schema';

const minutes = (count: number) => count * 60_000;

/** How long a part rests between two passes. */
const restMilliseconds: Record<AuditPart, number> = {
  guards: minutes(10),
  ledger: minutes(360),
  tips: minutes(360),
  settlements: minutes(360),
  entries: minutes(360),
  statistics: minutes(360),
  prices: minutes(360),
  kept: minutes(360),
};

/** Of one pass of a part; who has broken everything is told so by the first ones. */
const mostProblems = 100;

async function auditStatistics(after: PortfolioDay | null, limit: number): Promise<AuditStep<PortfolioDay>> {
  const { next, changed } = await findChangedRollups(after, limit);
  return {
    problems: changed.map(
      ({ portfolioId, day, what }) =>
        `Of portfolio ${portfolioId} on ${day}, ${what} is not what its settled tips come to.`,
    ),
    next,
  };
}

type Step = (place: unknown) => Promise<AuditStep<unknown>>;

const steps: Record<AuditPart, Step> = {
  guards: () => auditGuards(),
  ledger: (place) => auditLedger(place as LedgerPlace | null, 500),
  tips: (place) => auditTips(place as TipPlace | null, 100),
  settlements: (place) => auditSettlements(place as TipPlace | null, 100),
  entries: (place) => auditEntries(place as EntryPlace | null, 2000),
  statistics: (place) => auditStatistics(place as PortfolioDay | null, 20),
  prices: (place) => auditPrices(place as PricePlace | null, 500),
  kept: (place) => auditKept(place as KeptPlace | null, 500),
};

type Progress = { part: AuditPart; place: unknown; passAt: Date; finishedAt: Date | null };

/** How far the parts have come, first the one that was longest without a turn. */
async function listProgress(parts: readonly AuditPart[], now: Date): Promise<Progress[]> {
  await sql`insert into audit_progress (part, pass_at) select unnest(${[...parts]}::text[]), ${now} on conflict do nothing`.execute(
    database(),
  );
  const { rows } = await sql<Progress>`
    select part, place, pass_at as "passAt", finished_at as "finishedAt" from audit_progress join unnest(${[...parts]}::text[]) with ordinality as wanted (part, number) using (part)
    order by turn_at nulls first, number
  `.execute(database());
  return rows;
}

async function keepStep(
  part: AuditPart,
  passAt: Date,
  { problems, next }: AuditStep<unknown>,
  now: Date,
): Promise<void> {
  const found = await transact(async () => {
    await sql`
      update audit_progress set place = ${next === null ? null : JSON.stringify(next)}::jsonb, pass_at = ${passAt},
        finished_at = ${next === null ? now : null}, last_pass_at = ${next === null ? sql`${passAt}` : sql`last_pass_at`}
      where part = ${part}
    `.execute(database());
    const { rows } = await sql<{ problem: string }>`
      insert into audit_finding (part, pass_at, problem, found_at)
      select ${part}, ${passAt}, problem, ${now} from unnest(${problems}::text[]) with ordinality as given (problem, place)
      where (select count(*) from audit_finding where part = ${part} and pass_at = ${passAt}) + place <= ${mostProblems} order by place
      on conflict do nothing returning problem
    `.execute(database());
    const { rows: before } =
      await sql`select from audit_finding where part = ${part} and pass_at < ${passAt} limit 1`.execute(database());
    if (rows.length > 0 || (next === null && before.length > 0)) await forget(['ledger']);
    return rows;
  });
  for (const { problem } of found) log.error({ event: 'record_differs', part, problem });
}

// What cannot even be read was changed: that is a finding too, and holds up no other part.
async function stepOf(part: AuditPart, place: unknown): Promise<AuditStep<unknown>> {
  try {
    return await transact(() => steps[part](place));
  } catch (error) {
    if (isDatabaseTrouble(error)) throw error;
    log.error({ event: 'audit_failed', part, err: error });
    return {
      problems: [`What is stored cannot be read: ${error instanceof Error ? error.message : String(error)}`],
      next: null,
    };
  }
}

/**
 * Product §6: holds what the database says against the record, a step after the other for as long as the budget lasts, and goes on there the
 * next time, the parts in turn: the ledger, each tip and settlement, what is shown of them, and whether the guards stand. What differs is kept
 * and said. Throws where the database is away, slow or full, which says nothing of the record; the part then has its turn again after the others.
 */
export async function auditRecord(
  now: Date,
  {
    parts = auditParts,
    budgetMilliseconds = 500,
    rest = restMilliseconds,
  }: { parts?: readonly AuditPart[]; budgetMilliseconds?: number; rest?: Record<AuditPart, number> } = {},
): Promise<void> {
  const began = performance.now();
  for (const { part, finishedAt, ...known } of await listProgress(parts, now)) {
    if (finishedAt && now.getTime() - finishedAt.getTime() < rest[part]) continue;
    const passAt = finishedAt ? now : known.passAt;
    let place = finishedAt ? null : known.place;
    await sql`update audit_progress set turn_at = ${now} where part = ${part}`.execute(database());
    do {
      const step = await stepOf(part, place);
      await keepStep(part, passAt, step, now);
      place = step.next;
    } while (place !== null && performance.now() - began < budgetMilliseconds);
    if (performance.now() - began >= budgetMilliseconds) return;
  }
}

/** Makes a whole pass of these parts at once, from the beginning. */
export async function auditWholeRecord(now: Date, parts: readonly AuditPart[] = auditParts): Promise<void> {
  await sql`update audit_progress set place = null, finished_at = ${new Date(0)}`.execute(database());
  await auditRecord(now, {
    parts,
    budgetMilliseconds: Infinity,
    rest: { guards: 0, ledger: 0, tips: 0, settlements: 0, entries: 0, statistics: 0, prices: 0, kept: 0 },
  });
}
