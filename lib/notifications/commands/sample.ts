import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { listKnownMembers } from '@/lib/accounts/queries';
import { noteEvents } from '@/lib/events/commands';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { Failure } from '@/lib/platform/errors';
import { holdAccount } from '@/lib/platform/held-account';
import { newReference } from '@/lib/platform/reference';
import { routes } from '@/lib/routes';
import { zoneOf } from '../queries/readers';
import type { ChannelName, DeliveryOutcome, Message, Recipient } from '../schema/messages';
import type { Channel, Outward } from './channels';

const words = {
  title: 'This is how Tipledger notifications look here',
  body: 'You asked for this test on your notifications page. Tips come with the selection, the price taken and the best price now.',
};

/** Product §12: sends the member one message by a channel, whatever they chose, so that they see how it comes. Failure 'conflict' where the channel does not lead to them, 'unavailable' where it takes nothing now. */
export async function sendSample(
  viewer: Viewer,
  name: ChannelName,
  channels: readonly Channel[],
  now: Date,
): Promise<void> {
  requireMember(viewer);
  const { accountId } = viewer;
  if (name === 'app') return putIntoList(accountId, now);
  const channel = channels.find((each) => each.channel === name);
  const [known] = await listKnownMembers([accountId], now);
  const { rows } = channel
    ? await sql`select from account where id = ${accountId} and ${channel.reach}`.execute(database())
    : { rows: [] };
  if (!channel || !known || rows.length === 0)
    throw new Failure('conflict', 'This channel is not set up yet. Set it up, then send a test again.');
  const { username, email, oddsDisplay, timezoneId } = known;
  const message: Message = {
    id: `sample-${newReference()}`,
    kind: 'staff',
    at: now.toISOString(),
    ...words,
    link: `${env().siteUrl}${routes.dashboard('notifications')}`,
    slipLink: null,
    portfolio: null,
    tip: null,
    post: null,
    fixture: null,
    settlement: null,
    receipts: [],
  };
  const recipient = { accountId, username, email, oddsDisplay, timeZone: zoneOf(timezoneId) };
  const [outcome] = channel.isOurs
    ? await channel.deliverAll([{ message, recipient }], now)
    : [await sendOut(channel, message, recipient, now)];
  if (outcome !== 'sent')
    throw new Failure('unavailable', 'The service did not accept the message. Try again in a minute.');
}

async function sendOut(channel: Outward, message: Message, recipient: Recipient, now: Date): Promise<DeliveryOutcome> {
  const line = await channel.open([recipient.accountId]);
  const outcome = await line.deliver(message, recipient);
  await line.note(now);
  return outcome;
}

async function putIntoList(accountId: number, now: Date): Promise<void> {
  await transact(async () => {
    await holdAccount(accountId);
    const key = `sample:${newReference()}`;
    await noteEvents([{ kind: 'staff', key, at: now, accountId, details: { ...words, path: null } }]);
    await sql`delete from event_spread where event_id = (select id from event where key = ${key})`.execute(database());
    await sql`
      insert into delivery (event_id, account_id, channel, state, next_at) select id, ${accountId}, 'app', 'sent', ${now} from event where key = ${key}
    `.execute(database());
    await forget([`news:${accountId}`]);
  });
}
