import { isWholeRecordAudited, listFindings } from '@/lib/audit/queries';
import { now } from '@/lib/platform/clock';
import { newestMigration, probeDatabase } from '@/lib/platform/database-probe';
import { type ReplicaStatus, replicaStatus } from '@/lib/platform/database-replica';
import { inWords, noteTrouble, recentTroubles } from '@/lib/platform/database-trouble';
import { whyGuardsAreWeak } from '@/lib/platform/guards';
import { log } from '@/lib/platform/log';
import { whyTooNew } from '@/lib/platform/migrations';
import { singleton } from '@/lib/platform/singleton';
import { whyCannotSign } from '@/lib/record/commands';
import { listLateJobs, whyNoJobs } from '@/lib/jobs/states';

type Notes = { record: 'agrees' | 'differs' | 'unaudited'; finding?: string; warnings?: string[] };

type Standing = { replica?: ReplicaStatus['standing'] };

/** What the program says of its readiness: whether it serves, whether what it shows agrees with the record, whether writes are taken, and what a person should know. */
export type Readiness =
  | ({ status: 'ready'; writes?: 'refused' } & Standing & Notes)
  | { status: 'unavailable'; reason: string };

const notesMilliseconds = 500;

const besideNewer = (name: string) =>
  `The database has the schema of a newer release (${name}), whose guards and privileges this release cannot judge.`;

/** Whether the program can serve, within a second and a half whatever the database does: asked on a connection of its own, never on the pool. What stops writes, what differs from the record and what runs late does not stop it, but is said. */
export async function readReadiness(): Promise<Readiness> {
  try {
    const { isReadOnly, newer } = await probeDatabase();
    const tooNew = whyTooNew(newer, newestMigration());
    if (tooNew !== null) return { status: 'unavailable', reason: tooNew };
    const troubles = new Set([...recentTroubles(), ...(isReadOnly ? (['read-only'] as const) : [])]);
    // It has just answered.
    troubles.delete('away');
    const { warnings = [], ...notes } = await notesInTime();
    const said = [...[...troubles].map(inWords), ...newer.slice(-1).map(({ name }) => besideNewer(name)), ...warnings];
    const replica = replicaStatus();
    const refusesWrites = troubles.has('read-only') || troubles.has('full');
    return {
      status: 'ready',
      ...(refusesWrites && { writes: 'refused' }),
      ...(replica && { replica: replica.standing }),
      ...notes,
      ...(said.length > 0 && { warnings: said }),
    };
  } catch (error) {
    const trouble = noteTrouble(error);
    if (trouble === null) log.error({ event: 'server_error', err: error });
    return {
      status: 'unavailable',
      reason: trouble === null ? 'The database answers, but not what it is asked.' : inWords(trouble),
    };
  }
}

const last = singleton('readiness-notes', () => ({ notes: { record: 'unaudited' } as Notes }));

// They are read through the pool, which may be full or stand still: then what was found last is said.
async function notesInTime(): Promise<Notes> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Notes>((resolve) => {
    timer = setTimeout(
      () =>
        resolve({
          ...last.notes,
          warnings: [...(last.notes.warnings ?? []), 'What else is to be said could not be read in time.'],
        }),
      notesMilliseconds,
    );
  });
  const reading = readNotes().then((notes) => (last.notes = notes));
  reading.catch(noteTrouble);
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readNotes(): Promise<Notes> {
  const [[first], isAudited, lateJobs, ...warnings] = await Promise.all([
    listFindings(1),
    isWholeRecordAudited(now()),
    listLateJobs(),
    whyGuardsAreWeak(),
    whyCannotSign(),
  ]);
  const idle = whyNoJobs();
  const said = [
    ...(idle === null ? [] : [idle]),
    ...lateJobs.map(({ name, lateSeconds }) => `The job ${name} is late by ${lateSeconds} seconds.`),
    ...warnings.filter((warning) => warning !== null),
  ];
  return {
    ...(first ? { record: 'differs', finding: first.problem } : { record: isAudited ? 'agrees' : 'unaudited' }),
    ...(said.length > 0 && { warnings: said }),
  };
}
