import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { type EventKind, eventKinds } from '@/lib/events/schema';
import { now as present } from '@/lib/platform/clock';
import { arrayOf, database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffColumn, StaffList } from '@/lib/staff/schema';
import {
  channelTitles,
  type DeliveryStatus,
  deliveryStatus,
  eventTitles,
  type StoredDelivery,
  whyNotSent,
} from '../rules/status';
import { type ChannelName, channelNames } from '../schema/messages';

/** A delivery as staff see it: to whom, by which way, of what, and how it stands; nothing of what it says, and no address, key or link. */
export type StaffDelivery = {
  id: number;
  eventId: number;
  kind: EventKind;
  at: string;
  accountId: number;
  username: string;
  channel: ChannelName;
  /** The portfolio or the fixture that it is about. */
  about: string | null;
  portfolio: string | null;
  attempts: number;
  /** When it is looked at next; null for one that was sent or dropped. */
  nextAt: string | null;
  why: string | null;
  standing: DeliveryStatus;
};

type Row = StoredDelivery &
  Pick<StaffDelivery, 'id' | 'eventId' | 'kind' | 'accountId' | 'username' | 'about' | 'portfolio'> & { at: Date };

const viewOf = (row: Row, now: Date): StaffDelivery => {
  const { state, because, digest: _digest, nextAt, at, ...rest } = row;
  return {
    ...rest,
    at: at.toISOString(),
    nextAt: state === 'waiting' ? nextAt.toISOString() : null,
    why: whyNotSent(because),
    standing: deliveryStatus(row, now),
  };
};

const selected = (page: RawBuilder<unknown>) => sql<Row>`
  select page.id::float8 as id, page.event_id::float8 as "eventId", event.kind, event.at, page.account_id as "accountId", username, channel, page.state, because, digest, next_at as "nextAt", attempts,
    coalesce(portfolio.name, fixture.name, home.name || ' v ' || away.name) as about, portfolio.reference as portfolio
  from (${page}) page join event on event.id = page.event_id join account on account.id = page.account_id left join portfolio on portfolio.id = event.portfolio_id
  left join fixture on fixture.id = event.fixture_id left join participant home on home.id = fixture.home_id left join participant away on away.id = fixture.away_id
  order by page.event_id desc, page.account_id desc, page.channel desc`;

type State = 'due' | 'daily' | 'failed' | 'dropped' | 'sent';

// Each part is read along its index; what the list in the app holds was sent by that.
const parts: readonly { channel: ChannelName; states: readonly State[]; where: RawBuilder<unknown> }[] = [
  { channel: 'app', states: ['sent'], where: sql`channel = 'app'` },
  ...(['email', 'push', 'telegram'] as const).flatMap((channel) =>
    (['waiting', 'dropped', 'sent'] as const).flatMap((state) =>
      (channel === 'email' ? [false, true] : [false]).map((digest) => ({
        channel,
        states: [state === 'waiting' ? (digest ? 'daily' : 'due') : state] satisfies State[],
        where: sql`channel = ${sql.lit(channel)} and state = ${sql.lit(state)} and digest = ${sql.lit(digest)}`,
      })),
    ),
  ),
];
const failedPart = sql`because = 'refused'`;

type Asked = {
  channel: string | null;
  state: string | null;
  kind: string | null;
  accounts: readonly number[] | null;
  after: { event: number; account: number; channel: string } | null;
};

function wheresOf({ channel, state, accounts }: Asked): RawBuilder<unknown>[] {
  if (state === 'failed') return [channel === null ? failedPart : sql`${failedPart} and channel = ${channel}`];
  if (channel === null && state === null && accounts === null) return [sql`true`];
  return parts
    .filter(
      (part) => (channel ?? part.channel) === part.channel && (state === null || part.states.includes(state as State)),
    )
    .map(({ where }) => where);
}

function pageOf(asked: Asked, count: number): RawBuilder<unknown> {
  const { kind, accounts, after } = asked;
  const before = after
    ? sql`and (event_id, account_id, channel) < (${after.event}::bigint, ${after.account}::int, ${after.channel}::text)`
    : sql``;
  const theirs = accounts === null ? sql`` : sql`and account_id = any(${arrayOf(accounts)}::int[])`;
  const order = sql`order by event_id desc, account_id desc, channel desc limit ${count}`;
  const within = (also: RawBuilder<unknown>) =>
    sql.join(
      wheresOf(asked).map((where) => sql`(select * from delivery where ${where} ${also} ${theirs} ${before} ${order})`),
      sql` union all `,
    );
  if (wheresOf(asked).length === 0) return sql`select * from delivery where false`;
  if (kind === null) return sql`select * from (${within(sql``)}) delivery ${order}`;
  const from = after ? sql`and id <= ${after.event}::bigint` : sql``;
  return sql`
    select delivery.* from (select id from event where kind = ${kind} ${from}) of_kind
    cross join lateral (select * from (${within(sql`and event_id = of_kind.id`)}) delivery ${order}) delivery
    order by of_kind.id desc, account_id desc, channel desc limit ${count}`;
}

/** The accounts that staff mean: by username, address or number. */
async function accountsMeant(q: string): Promise<number[]> {
  const number = /^[1-9]\d{0,8}$/.test(q) ? Number(q) : null;
  const { rows } = await sql<{ id: number }>`
    select id from account where username = lower(${q}) or lower(email) = lower(${q}) or id = ${number}::int
  `.execute(database());
  return rows.map(({ id }) => id);
}

function placeOf(after: string | null): Asked['after'] {
  const [, event, account, channel] = /^(\d{1,15})\.(\d{1,9})\.([a-z]{1,10})$/.exec(after ?? '') ?? [];
  return event && account && channel ? { event: Number(event), account: Number(account), channel } : null;
}

const nameColumn: StaffColumn<StaffDelivery> = {
  key: 'id',
  title: 'Number',
  cell: ({ id }) => String(id),
  href: ({ id }) => routes.staff('notifications', { id }),
};
const wayColumns: readonly StaffColumn<StaffDelivery>[] = [
  { key: 'way', title: 'Way', cell: ({ channel }) => channelTitles[channel] },
  { key: 'state', title: 'State', cell: ({ standing: { title, tone } }) => ({ state: title, tone }) },
  { key: 'why', title: 'Why', wide: true, cell: ({ why }) => why },
  { key: 'tries', title: 'Tries', figure: true, cell: ({ attempts }) => attempts },
  { key: 'next', title: 'Next try', cell: ({ nextAt }) => (nextAt === null ? null : { at: nextAt }) },
];

/** The columns of a delivery where person and event are known. */
export const deliveryWays: readonly StaffColumn<StaffDelivery>[] = [nameColumn, ...wayColumns];

/** Product §11, §12: what is to reach people and by which way, the newest event first. */
export const staffDeliveries: StaffList<StaffDelivery> = {
  name: 'notifications',
  title: 'Notifications',
  lead: 'What is to reach members, each by one way: the queue, what was sent, what failed and what was left out. Sending looks again at what a reader wants and may see.',
  none: 'Nothing matches. Search by the whole username or address of a member, or the number of the account.',
  searched: 'username, address or number',
  filters: [
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'due', title: 'Waits' },
        { value: 'daily', title: 'Daily mail' },
        { value: 'failed', title: 'Failed' },
        { value: 'dropped', title: 'Not sent' },
        { value: 'sent', title: 'Sent' },
      ],
    },
    { name: 'way', title: 'Way', choices: channelNames.map((value) => ({ value, title: channelTitles[value] })) },
    { name: 'kind', title: 'Event', choices: eventKinds.map((value) => ({ value, title: eventTitles[value] })) },
  ],
  columns: [
    nameColumn,
    { key: 'at', title: 'When it happened', cell: ({ at }) => ({ at }) },
    {
      key: 'reader',
      title: 'To',
      cell: ({ username }) => username,
      href: ({ accountId }) => routes.staff('users', { id: accountId }),
    },
    {
      key: 'what',
      title: 'Event',
      cell: ({ kind, about }) => (about === null ? eventTitles[kind] : `${eventTitles[kind]}: ${about}`),
    },
    ...wayColumns,
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const accounts = q === null ? null : await accountsMeant(q);
    if (accounts?.length === 0) return { rows: [], next: null };
    const asked: Asked = {
      channel: chosen['way'] ?? null,
      state: chosen['state'] ?? null,
      kind: chosen['kind'] ?? null,
      accounts,
      after: placeOf(after),
    };
    const { rows } = await selected(pageOf(asked, limit + 1)).execute(database());
    const [now, last] = [present(), rows[limit - 1]];
    return {
      rows: rows.slice(0, limit).map((row) => viewOf(row, now)),
      next: rows.length > limit && last ? `${last.eventId}.${last.accountId}.${last.channel}` : null,
    };
  },
};

/** A delivery with what else of its event goes to the same person. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such delivery. */
export async function getDeliveryForStaff(
  viewer: Viewer,
  id: number,
): Promise<StaffDelivery & { others: StaffDelivery[] }> {
  refuseUnlessStaff(viewer);
  const { rows } = await selected(sql`
    select delivery.* from delivery join (select event_id, account_id from delivery where id = ${id}::bigint) of_it using (event_id, account_id)
  `).execute(database());
  const views = rows.map((row) => viewOf(row, present()));
  const own = views.find((view) => view.id === id);
  if (!own)
    throw new Failure('missing', 'There is no such notification: those of events of three months ago are removed.');
  return { ...own, others: views.filter((view) => view !== own) };
}
