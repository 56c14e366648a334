import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { type EventKind, eventKinds } from '@/lib/events/schema';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';
import { type SpreadStatus, spreadStatus } from '../rules/spreading';
import { channelTitles, eventTitles } from '../rules/status';
import type { ChannelName } from '../schema/messages';

/** An event as staff see it: what happened, and how far it was given to those whom it is for. */
export type StaffEvent = {
  id: number;
  kind: EventKind;
  at: string;
  about: string | null;
  failure: string | null;
  failedAt: string | null;
  standing: SpreadStatus;
};

/** An event with how many it was put down for, by way. */
export type StaffEventDetail = StaffEvent & { ways: { way: string; people: number }[] };

type Row = Pick<StaffEvent, 'id' | 'kind' | 'about' | 'failure'> & {
  at: Date;
  failedAt: Date | null;
  stage: number | null;
  afterAccount: number | null;
};

const viewOf = ({ at, failedAt, stage, afterAccount, ...row }: Row): StaffEvent => ({
  ...row,
  at: at.toISOString(),
  failedAt: failedAt?.toISOString() ?? null,
  standing: spreadStatus({ at, failure: row.failure, stage, afterAccount }, present()),
});

const columns = sql`event.id::float8 as id, event.kind, event.at, coalesce(portfolio.name, fixture.name, home.name || ' v ' || away.name) as about, spread.failure,
  spread.failed_at as "failedAt", spread.stage, spread.after_account as "afterAccount"`;
const details = sql`left join portfolio on portfolio.id = event.portfolio_id left join fixture on fixture.id = event.fixture_id
  left join participant home on home.id = fixture.home_id left join participant away on away.id = fixture.away_id`;

const states: Readonly<Record<string, RawBuilder<unknown>>> = {
  failing: sql`and spread.failure is not null`,
  waiting: sql`and spread.failure is null`,
};

/** Product §11, §12: the events that are not yet put down for all whom they are for, the newest first. */
export const staffEvents: StaffList<StaffEvent> = {
  name: 'news-events',
  title: 'Events to spread',
  lead: 'What happened and is not yet put down for everybody whom it is for. An event is here for moments, unless spreading it fails: then it is tried every two seconds, and is old news after two days, when nobody else hears of it.',
  none: 'Every event was spread.',
  searched: null,
  filters: [
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'failing', title: 'Fails' },
        { value: 'waiting', title: 'Waits or under way' },
      ],
    },
    { name: 'kind', title: 'Event', choices: eventKinds.map((value) => ({ value, title: eventTitles[value] })) },
  ],
  columns: [
    { key: 'id', title: 'Number', cell: ({ id }) => String(id), href: ({ id }) => routes.staff('news-events', { id }) },
    { key: 'at', title: 'When it happened', cell: ({ at }) => ({ at }) },
    {
      key: 'what',
      title: 'Event',
      cell: ({ kind, about }) => (about === null ? eventTitles[kind] : `${eventTitles[kind]}: ${about}`),
    },
    { key: 'state', title: 'State', cell: ({ standing: { title, tone } }) => ({ state: title, tone }) },
    { key: 'why', title: 'Why', wide: true, cell: ({ failure }) => failure },
    { key: 'failed', title: 'Last failed', cell: ({ failedAt }) => (failedAt === null ? null : { at: failedAt }) },
  ],
  read: async (viewer, { chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const before = wholeNumberOf(after, 'bigint');
    const kind = chosen['kind'] ?? null;
    const { rows } = await sql<Row>`
      select ${columns} from event_spread spread join event on event.id = spread.event_id ${details}
      where (${before}::bigint is null or spread.event_id < ${before}::bigint) and (${kind}::text is null or event.kind = ${kind}::text) ${states[chosen['state'] ?? ''] ?? sql``}
      order by spread.event_id desc limit ${limit + 1}
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** An event with how many it was put down for, by way; also one that was spread or given up. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such event. */
export async function getEventForStaff(viewer: Viewer, id: number): Promise<StaffEventDetail> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`
    select ${columns} from event left join event_spread spread on spread.event_id = event.id ${details} where event.id = ${id}::bigint
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such event: those of three months ago are removed.');
  const ways = await sql<{ channel: ChannelName; people: number }>`
    select channel, count(*)::int as people from delivery where event_id = ${id}::bigint group by channel order by channel
  `.execute(database());
  return {
    ...viewOf(rows[0]),
    ways: ways.rows.map(({ channel, people }) => ({ way: channelTitles[channel], people })),
  };
}
