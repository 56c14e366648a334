import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { atOnce, database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { mapInTurns } from '@/lib/platform/turns';
import { messageFor } from '../queries/messages';
import { readReaders, type ViewerOf } from '../queries/readers';
import { readSources } from '../queries/sources';
import { isFor, isWanted, topicOfEvent } from '../queries/wanted';
import { quietUntil } from '../rules/hours';
import type { DeliveryOutcome, Message, Recipient } from '../schema/messages';
import type { Hours } from '../schema/settings';
import type { Channel, Line, Outward } from './channels';
import { putDigest } from './mail';

/** How many mails are written at once: few at first, so that the first are soon on their way. */
const mailsAtFirst = 50;
const mailsAtOnce = 500;
/** How many messages are under way to a service at once, and how many of these must have come back before more are read. */
const outwardAtOnce = 96;
const outwardRefill = 48;
/** What a service gets before it counts as silent, in milliseconds: less than the first pause, after which another program may try. */
const patienceMilliseconds = 15_000;
const firstPauseSeconds = 30;
const mostAttempts = 10;
const unreadableMilliseconds = 600_000;

type Claimed = { id: number; eventId: number; accountId: number; attempts: number };
type Judged = Claimed & { message: Message; recipient: Recipient };
type Verdict = { id: number } & ({ state: 'dropped'; because: string } | { state: 'waiting'; nextAt: Date });

/** How news are sent: how a viewer is made of a member, and by which ways. */
export type Sending = { viewerOf: ViewerOf; channels: readonly Channel[]; seconds?: number };

/**
 * Product §12: sends what is due, each to each once, for so many seconds, by all ways side by side: what somebody wants, may see and can be reached by
 * is looked at again now; a tip that has started is dropped, quiet hours hold the rest. As many programs as like work at once. Returns how many were sent.
 */
export async function sendDueNews(start: Date, { viewerOf, channels, seconds = 20 }: Sending): Promise<number> {
  const began = performance.now();
  const passed = () => performance.now() - began;
  const now = () => new Date(start.getTime() + passed());
  const isOver = () => passed() >= 1000 * seconds;
  const sent = await atOnce(channels.length, async (place, of) => {
    let own = 0;
    for (const channel of channels.filter((_, index) => index % of === place)) {
      if (channel.isOurs) own += await sendOurs(channel, viewerOf, now, isOver);
      else own += await sendOutward(channel, viewerOf, now, isOver);
    }
    return own;
  });
  return sent.reduce((sum, own) => sum + own, 0);
}

type Clock = () => Date;

const dueOf = ({ channel }: Channel, now: Date, atOnce: number) =>
  sql`select id from delivery where state = 'waiting' and not digest and channel = ${channel} and next_at <= ${now} order by next_at, id limit ${atOnce} for update skip locked`;

const claimedColumns = sql`id::float8 as id, event_id::float8 as "eventId", account_id as "accountId", attempts`;

async function sendOurs(
  channel: Channel & { isOurs: true },
  viewerOf: ViewerOf,
  now: Clock,
  isOver: () => boolean,
): Promise<number> {
  let sent = 0;
  for (let size = mailsAtFirst; !isOver(); size = Math.min(mailsAtOnce, 2 * size)) {
    const done = await transact(() => sendSomeOfOurs(channel, viewerOf, now(), size));
    if (done === null) break;
    sent += done;
  }
  return sent;
}

async function sendSomeOfOurs(
  channel: Channel & { isOurs: true },
  viewerOf: ViewerOf,
  now: Date,
  size: number,
): Promise<number | null> {
  const { rows: claimed } = await sql<Claimed>`
    select ${claimedColumns} from delivery where id in (${dueOf(channel, now, size)}) order by id
  `.execute(database());
  if (claimed.length === 0) return null;
  const { ready, verdicts } = await judge(claimed, channel, viewerOf, now);
  const outcomes = await channel.deliverAll(ready, now);
  const sent = ready.flatMap(({ id }, index) => (outcomes[index] === 'sent' ? [id] : []));
  for (const [index, { id }] of ready.entries())
    if (outcomes[index] !== 'sent') verdicts.push({ id, state: 'dropped', because: 'no way' });
  await settle(verdicts);
  await markSent(sent);
  return sent.length;
}

type Tried = { id: number; attempts: number; outcome: DeliveryOutcome; line: Line };

/** Keeps so many messages under way; one that its service is slow to take holds up no other. */
async function sendOutward(
  channel: Channel & Outward,
  viewerOf: ViewerOf,
  now: Clock,
  isOver: () => boolean,
): Promise<number> {
  const underWay = new Set<Promise<void>>();
  const tried: Tried[] = [];
  let sent = 0;
  const note = async () => void (sent += await noteTried(tried.splice(0), now()));
  try {
    for (;;) {
      const free = outwardAtOnce - underWay.size;
      if (free < outwardRefill) {
        await Promise.race(underWay);
        continue;
      }
      await note();
      const claimed = isOver() ? [] : await claimOutward(channel, now(), free);
      if (claimed.length === 0) break;
      const { ready, verdicts } = await judge(claimed, channel, viewerOf, now());
      await settle(verdicts);
      const line = await channel.open(ready.map(({ accountId }) => accountId));
      for (const one of ready) {
        const trying: Promise<void> = tryToDeliver(channel, line, one).then((outcome) => {
          tried.push({ id: one.id, attempts: one.attempts, outcome, line });
          underWay.delete(trying);
        });
        underWay.add(trying);
      }
    }
  } finally {
    // Also where a claim failed: what is not written down as sent would be sent again.
    await Promise.all(underWay);
    await note();
  }
  return sent;
}

/** Claims by moving on when each is tried next: a program that dies leaves it to be tried then. */
async function claimOutward(channel: Channel, now: Date, count: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    update delivery set attempts = attempts + 1, next_at = ${now}::timestamptz + ${firstPauseSeconds} * 2 ^ attempts * interval '1 second'
    where id in (${dueOf(channel, now, count)}) returning ${claimedColumns}
  `.execute(database());
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Writes down what came of messages; returns how many were sent. */
async function noteTried(tried: readonly Tried[], now: Date): Promise<number> {
  const verdicts = tried.flatMap(({ id, attempts, outcome }): Verdict[] => {
    if (outcome === 'gone') return [{ id, state: 'dropped', because: 'no way' }];
    return outcome === 'retry' && attempts >= mostAttempts ? [{ id, state: 'dropped', because: 'refused' }] : [];
  });
  const sent = tried.flatMap(({ id, outcome }) => (outcome === 'sent' ? [id] : []));
  await settle(verdicts);
  await markSent(sent);
  for (const line of new Set(tried.map((one) => one.line))) await line.note(now);
  return sent.length;
}

async function tryToDeliver(
  { channel }: Channel,
  line: Line,
  { id, message, recipient }: Judged,
): Promise<DeliveryOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'retry'>(
    (resolve) => void (timer = setTimeout(() => resolve('retry'), patienceMilliseconds)),
  );
  try {
    return await Promise.race([line.deliver(message, recipient), late]);
  } catch (error) {
    log.warn({
      event: 'news_failed',
      channel,
      delivery: id,
      message: error instanceof Error ? error.message : String(error),
    });
    return 'retry';
  } finally {
    clearTimeout(timer);
  }
}

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

async function judge(
  claimed: readonly Claimed[],
  { reach }: Channel,
  viewerOf: ViewerOf,
  now: Date,
  { quiet = true } = {},
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
        verdicts.push({ id: one.id, state: 'waiting', nextAt: new Date(now.getTime() + unreadableMilliseconds) });
      else if ('nothing' in message) drop(message.nothing);
      else if (message.kind === 'tip' && hasStarted(sources, one.eventId, now)) drop('started');
      else {
        const until = quiet ? quietUntil(standing, reader.recipient.timeZone, now) : null;
        if (until) verdicts.push({ id: one.id, state: 'waiting', nextAt: until });
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

async function settle(verdicts: readonly Verdict[]): Promise<void> {
  if (verdicts.length === 0) return;
  await sql`
    update delivery set state = verdict.state, because = verdict.because, next_at = coalesce(verdict.next_at, delivery.next_at)
    from unnest(${verdicts.map(({ id }) => id)}::bigint[], ${verdicts.map(({ state }) => state)}::text[],
      ${verdicts.map((verdict) => (verdict.state === 'dropped' ? verdict.because : null))}::text[],
      ${verdicts.map((verdict) => (verdict.state === 'waiting' ? verdict.nextAt : null))}::timestamptz[]) as verdict (id, state, because, next_at)
    where delivery.id = verdict.id
  `.execute(database());
}

async function markSent(ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await sql`update delivery set state = 'sent' where id = any(${[...ids]}::bigint[]) and state = 'waiting'`.execute(
      database(),
    );
}

const digestsAtOnce = 100;

/** Product §12: sends the one mail of the day to everybody whose hour has come, with what they may still see and want; returns how many mails went out. */
export async function sendDigests(now: Date, { viewerOf, channels, seconds = 20 }: Sending): Promise<number> {
  const mail = channels.find(({ channel }) => channel === 'email');
  if (!mail) return 0;
  const until = performance.now() + 1000 * seconds;
  let sent = 0;
  for (let done: number | null = 0; done !== null && performance.now() < until; ) {
    done = await transact(() => sendDigest(mail, viewerOf, now));
    sent += done ?? 0;
  }
  return sent;
}

async function sendDigest(mail: Channel, viewerOf: ViewerOf, now: Date): Promise<number | null> {
  // Who holds the hours of an account is the one that gathers its mail.
  const { rows: held } = await sql<{ accountId: number }>`
    select account_id as "accountId" from news_hours where account_id in (
      select account_id from delivery where state = 'waiting' and digest and next_at <= ${now})
    order by account_id limit 1 for update skip locked
  `.execute(database());
  const [owner] = held;
  if (!owner) return null;
  const { rows: claimed } = await sql<Claimed>`
    select ${claimedColumns} from delivery where account_id = ${owner.accountId} and state = 'waiting' and digest and next_at <= ${now} order by id limit ${digestsAtOnce} for update
  `.execute(database());
  const { ready, verdicts } = await judge(claimed, mail, viewerOf, now, { quiet: false });
  const [first] = ready;
  if (first)
    await putDigest(
      ready.map(({ message }) => message),
      first.recipient,
      now,
    );
  await settle(verdicts);
  await markSent(ready.map(({ id }) => id));
  return first ? 1 : 0;
}
