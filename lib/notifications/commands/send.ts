import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { atOnce, database, transact } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import type { ViewerOf } from '../queries/readers';
import { firstPauseSeconds } from '../rules/status';
import type { DeliveryOutcome } from '../schema/messages';
import type { Channel, Line, Outward } from './channels';
import { type Claimed, claimedColumns, type Judged, judge, markSent, noteVerdicts, type Verdict } from './deliveries';

/** How many mails are written at once: few at first, so that the first are soon on their way. */
const mailsAtFirst = 50;
const mailsAtOnce = 500;
/** How many messages are under way to a service at once, and how many of these must have come back before more are read. */
const outwardAtOnce = 96;
const outwardRefill = 48;
/** What a service gets before it counts as silent, in milliseconds: less than the first pause, after which another program may try. */
const patienceMilliseconds = 15_000;
const mostAttempts = 10;

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

const isWaiting = (now: Date) => sql`state = 'waiting' and not digest and next_at <= ${now}`;

/** Whether a delivery is due. */
export const isNewsDue = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`exists (select from delivery where ${isWaiting(now)})`;

const dueOf = ({ channel }: Channel, now: Date, atOnce: number) =>
  sql`select id from delivery where ${isWaiting(now)} and channel = ${channel} order by next_at, id limit ${atOnce} for update skip locked`;

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
  await noteVerdicts(verdicts);
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
      await noteVerdicts(verdicts);
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
  await noteVerdicts(verdicts);
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
