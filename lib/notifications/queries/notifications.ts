import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { selectTips, tipOf } from '@/lib/tips/queries';
import type { TipView } from '@/lib/tips/schema';
import { type Notification, type NotificationList, notificationLimits } from '../schema/notifications';

type Happening = { tipId: number; at: Date; version: number | null };

/** What the tipsters that the member follows published and had settled lately, newest first; Failure 'unauthorised' for a guest. */
export async function listNotifications(viewer: Viewer, now: Date): Promise<NotificationList> {
  if (viewer.kind === 'guest') throw new Failure('unauthorised', 'Forbidden. Sign in, then send the request again.');
  const { days, items } = notificationLimits;
  const since = new Date(now.getTime() - days * 86_400_000);
  const followed = sql`tip.portfolio_id in (select portfolio_id from follow where account_id = ${viewer.accountId})`;
  const { rows } = await sql<Happening>`
    (select tip.id as "tipId", tip.published_at as at, null::integer as version from tip
      where ${followed} and tip.published_at > ${since} and tip.published_at <= ${now} order by tip.published_at desc limit ${items})
    union all
    (select tip.id, settlement.settled_at, settlement.version from tip_settlement settlement join tip on tip.id = settlement.tip_id
      where ${followed} and settlement.settled_at > ${since} and settlement.settled_at <= ${now} order by settlement.settled_at desc limit ${items})
    order by at desc, version desc nulls last, "tipId" desc limit ${items}
  `.execute(database());
  const records = await selectTips(sql`where tip.id = any(${rows.map(({ tipId }) => tipId)}::int[])`).execute(
    database(),
  );
  const tips = new Map(records.rows.map((record) => [record.id, tipOf(viewer, record, now)]));
  return {
    items: rows.flatMap((row) => {
      const tip = tips.get(row.tipId);
      return tip ? [notificationOf(row, tip)] : [];
    }),
  };
}

function notificationOf({ at, version }: Happening, tip: TipView): Notification {
  const settlement = tip.settlements.find((each) => each.version === version);
  const { portfolioReference, portfolioName, legCount, lock, demo } = tip;
  return {
    kind: version === null ? 'tip' : 'settlement',
    at: at.toISOString(),
    tipReference: tip.reference,
    portfolioReference,
    portfolioName,
    legCount,
    lock,
    demo,
    version,
    what: tip.legs.map(({ bet }) => bet).join('; ') || null,
    outcome: settlement?.outcome ?? null,
    profitHundredths: settlement?.profitHundredths ?? null,
  };
}
