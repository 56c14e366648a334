import 'server-only';
import { sql } from 'kysely';
import { requireMember } from '@/lib/access/queries';
import type { Viewer } from '@/lib/access/schema';
import { reads } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import type { OddsDisplay } from '@/lib/reference/schema';
import { type NotificationList, notificationLimits } from '../schema/notifications';
import { messageFor } from './messages';
import { zoneOf } from './readers';
import { findNewsTags } from './settings';
import { readSources } from './sources';

const sinceOf = (now: Date) => new Date(now.getTime() - notificationLimits.days * 86_400_000);

/** How many of the last month's notifications a member has not read; Failure 'unauthorised' for a guest. */
export async function countUnread(viewer: Viewer, now: Date): Promise<number> {
  requireMember(viewer);
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from delivery join event on event.id = event_id
    where delivery.account_id = ${viewer.accountId} and channel = 'app' and read_at is null and event.at > ${sinceOf(now)}
  `.execute(database());
  return rows[0]?.unread ?? 0;
}

// A month ends by the clock.
const keptSeconds = 60;

/** The same for an answer that is kept: under the tags of what tells of a change. */
export async function countUnreadKept(viewer: Viewer, now: Date): Promise<number> {
  reads(await findNewsTags(viewer, now), keptSeconds);
  return countUnread(viewer, now);
}

/** Product §12: what happened lately, or before the notification of this id, that the member wanted to hear of, newest first, each as they may see it now; Failure 'unauthorised' for a guest. */
export async function listNotifications(viewer: Viewer, now: Date, before?: number): Promise<NotificationList> {
  const unread = await countUnread(viewer, now);
  if (viewer.kind === 'guest') return { items: [], unread, unreadIds: [], next: null };
  const { accountId } = viewer;
  const { rows: found } = await sql<{
    eventId: number;
    read: boolean;
    timezoneId: number | null;
    oddsDisplay: OddsDisplay;
  }>`
    select event_id::float8 as "eventId", read_at is not null as read, timezone_id as "timezoneId", odds_display as "oddsDisplay"
    from delivery join event on event.id = event_id join account on account.id = delivery.account_id
    where delivery.account_id = ${accountId} and channel = 'app' and event.at > ${sinceOf(now)}
      and event_id < ${before ?? Number.MAX_SAFE_INTEGER}::bigint
    order by event_id desc limit ${notificationLimits.items + 1}
  `.execute(database());
  const rows = found.slice(0, notificationLimits.items);
  const sources = await readSources(rows.map(({ eventId }) => eventId));
  const items = rows.flatMap(({ eventId, read, timezoneId, oddsDisplay }) => {
    const recipient = { accountId, timeZone: zoneOf(timezoneId), oddsDisplay };
    const message = messageFor(sources, eventId, { viewer, recipient }, now);
    if ('nothing' in message) return [];
    const { kind, at, title, body, link, portfolio, settlement } = message;
    return [
      {
        id: eventId,
        kind,
        at,
        read,
        title,
        body,
        path: link.slice(env().siteUrl.length),
        portfolio,
        outcome: settlement?.outcome ?? null,
        profitHundredths: settlement?.profitHundredths ?? null,
      },
    ];
  });
  return {
    items,
    unread,
    unreadIds: rows.flatMap(({ eventId, read }) => (read ? [] : [eventId])),
    next: found.length > rows.length ? (rows.at(-1)?.eventId ?? null) : null,
  };
}
