import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { mapInTurns } from '@/lib/platform/turns';
import { messageFor } from '../queries/messages';
import { readReaders, type ViewerOf } from '../queries/readers';
import { readSources } from '../queries/sources';
import { isFor, isWanted, topicOfEvent } from '../queries/wanted';
import { quietUntil } from '../rules/hours';
import type { Message, Recipient } from '../schema/messages';
import type { Hours } from '../schema/settings';
import type { Channel } from './channels';

const unreadableMilliseconds = 600_000;

/** A delivery that is being sent. */
export type Claimed = { id: number; eventId: number; accountId: number; attempts: number };

/** One that is to be sent now, with what it says and to whom. */
export type Judged = Claimed & { message: Message; recipient: Recipient };

/** What becomes of one that is not sent now; `quiet` where it waits for the end of the reader's quiet hours. */
export type Verdict = { id: number } & (
  | { state: 'dropped'; because: string }
  | { state: 'waiting'; nextAt: Date; quiet: boolean }
);

/** The columns of a delivery that is claimed. */
export const claimedColumns = sql`id::float8 as id, event_id::float8 as "eventId", account_id as "accountId", attempts`;

type Standing = Hours & { id: number; wanted: boolean; reached: boolean; theirs: boolean };

/** How each stands now: wanted, reachable, still meant for this account, and its hours. */
async function standingsOf(
  ids: readonly number[],
  reach: RawBuilder<boolean>,
  now: Date,
): Promise<Map<number, Standing>> {
  const topic = topicOfEvent();
  const { rows } = await sql<Standing>`
    select delivery.id::float8 as id, ${isWanted(topic, sql`delivery.channel`, sql`event.portfolio_id`, now)} as wanted, ${reach} as reached, ${isFor(now)} as theirs,
      quiet_from as "quietFrom", quiet_until as "quietUntil", digest_hour as "digestHour"
    from delivery join event on event.id = event_id join account on account.id = delivery.account_id left join news_hours on news_hours.account_id = account.id
    where delivery.id = any(${[...ids]}::bigint[]) and account.deleted_at is null
  `.execute(database());
  return new Map(rows.map((row) => [row.id, row]));
}

/** Looks again at what each is about to be told, at `now`: what is to be sent, and what becomes of the others. Quiet hours hold those that `isHeldByHours` says. */
export async function judge<C extends Claimed>(
  claimed: readonly C[],
  { reach }: Channel,
  viewerOf: ViewerOf,
  now: Date,
  isHeldByHours: (one: C) => boolean = () => true,
): Promise<{ ready: Judged[]; verdicts: Verdict[] }> {
  const [standings, readers, sources] = [
    await standingsOf(
      claimed.map(({ id }) => id),
      reach,
      now,
    ),
    await readReaders(
      claimed.map(({ accountId }) => accountId),
      viewerOf,
      now,
    ),
    await readSources(claimed.map(({ eventId }) => eventId)),
  ];
  const [ready, verdicts]: [Judged[], Verdict[]] = [[], []];
  await mapInTurns(claimed, (one) => {
    const [standing, reader] = [standings.get(one.id), readers.get(one.accountId)];
    const drop = (because: string) => void verdicts.push({ id: one.id, state: 'dropped', because });
    if (!standing || !reader) drop('no account');
    else if (!standing.theirs) drop('not theirs any more');
    else if (!standing.wanted) drop('not wanted any more');
    else if (!standing.reached) drop('no way');
    else {
      const message = readMessage(() => messageFor(sources, one.eventId, reader, now), one);
      if (message === null)
        verdicts.push({
          id: one.id,
          state: 'waiting',
          nextAt: new Date(now.getTime() + unreadableMilliseconds),
          quiet: false,
        });
      else if ('nothing' in message) drop(message.nothing);
      else if (message.kind === 'tip' && hasStarted(sources, one.eventId, now)) drop('started');
      else {
        const until = isHeldByHours(one) ? quietUntil(standing, reader.recipient.timeZone, now) : null;
        if (until) verdicts.push({ id: one.id, state: 'waiting', nextAt: until, quiet: true });
        else ready.push({ ...one, message, recipient: reader.recipient });
      }
    }
  });
  return { ready, verdicts };
}

/** A message, or null where it cannot be made: one that is wrong is logged and holds up no other. */
function readMessage<T>(make: () => T, { id, eventId }: Claimed): T | null {
  try {
    return make();
  } catch (error) {
    log.error({ event: 'news_unreadable', delivery: id, of: eventId, err: error });
    return null;
  }
}

function hasStarted({ events, tips }: Awaited<ReturnType<typeof readSources>>, eventId: number, now: Date): boolean {
  const tip = tips.get(events.get(eventId)?.tipId ?? 0);
  return !tip || tip.firstStartsAt <= now;
}

/** Writes down what becomes of those that are not sent. */
export async function noteVerdicts(verdicts: readonly Verdict[]): Promise<void> {
  if (verdicts.length === 0) return;
  await sql`
    update delivery set state = verdict.state, because = verdict.because, next_at = coalesce(verdict.next_at, delivery.next_at)
    from unnest(${verdicts.map(({ id }) => id)}::bigint[], ${verdicts.map(({ state }) => state)}::text[],
      ${verdicts.map((verdict) => (verdict.state === 'dropped' ? verdict.because : null))}::text[],
      ${verdicts.map((verdict) => (verdict.state === 'waiting' ? verdict.nextAt : null))}::timestamptz[]) as verdict (id, state, because, next_at)
    where delivery.id = verdict.id
  `.execute(database());
}

/** Writes down what was sent. */
export async function markSent(ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await sql`update delivery set state = 'sent' where id = any(${[...ids]}::bigint[]) and state = 'waiting'`.execute(
      database(),
    );
}
