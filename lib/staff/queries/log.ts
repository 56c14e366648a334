import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { changesOf } from '../rules/changes';
import { whyNotStaff } from '../rules/permits';
import { type StaffFacts, staffActions, type StaffActionFacts, type StaffSubject } from '../schema/actions';
import type { StaffList } from '../schema/lists';

/** A line of the log of staff: when, who, what, to what, why, and how it was before and after. */
export type StaffLogEntry = {
  id: number;
  at: string;
  actor: string | null;
  actorRole: string;
  action: string;
  subject: StaffSubject;
  reason: string;
  before: StaffFacts;
  after: StaffFacts;
};

/** Refuses a read to whoever is not staff that has shown the second factor. Failure 'unauthorised' or 'forbidden'. */
export function refuseUnlessStaff(viewer: Viewer): void {
  const why = whyNotStaff(viewer);
  if (why) throw new Failure(why.kind, why.message);
}

type Row = Omit<StaffLogEntry, 'at' | 'subject'> & { at: Date; kind: string; subject: string };

/** The log of staff, the newest first; of one subject where it is named. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function listStaffActions(
  viewer: Viewer,
  {
    subject = null,
    action = null,
    after = null,
    limit,
  }: { subject?: StaffSubject | null; action?: string | null; after?: number | null; limit: number },
): Promise<StaffLogEntry[]> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`
    select staff_action.id, at, username as actor, actor_role as "actorRole", action, subject_kind as kind, subject, reason, before, after
    from staff_action left join account on account.id = actor_id
    where (${after}::int is null or staff_action.id < ${after}::int) and (${action}::text is null or action = ${action}::text)
      and (${subject?.kind ?? null}::text is null or (subject_kind = ${subject?.kind ?? null}::text and subject = ${subject?.id ?? null}::text))
    order by staff_action.id desc limit ${limit}
  `.execute(database());
  return rows.map(({ kind, subject: id, at, ...row }) => ({ ...row, at: at.toISOString(), subject: { kind, id } }));
}

const titleOf = (action: string) => (staffActions as Record<string, StaffActionFacts>)[action]?.title ?? action;

/** Where the pages of what staff act on are, by its kind. */
const places: Readonly<Record<string, string>> = {
  user: '/admin/users',
  portfolio: '/admin/portfolios',
  tip: '/admin/tips',
  fixture: '/admin/fixtures',
  order: '/admin/orders',
  payout: '/admin/payouts',
  difference: '/admin/reconciliation',
  coupon: '/admin/coupons',
  content: '/admin/content',
  bookmaker: '/admin/bookmakers',
  'help-line': '/admin/help-lines',
  feed: '/admin/feeds',
  name: '/admin/names',
  delivery: '/admin/notifications',
  webhook: '/admin/webhooks',
  mail: '/admin/mails',
  bounce: '/admin/bounces',
  event: '/admin/news-events',
};

/** Where the page is of something that there is one of, by its kind. */
const solePlaces: Readonly<Record<string, string>> = {
  pro: '/admin/offers',
  affiliates: '/admin/offers',
  tax: '/admin/tax-rates',
};

/** Product §11: the log of what staff did, as a list. */
export const staffLog: StaffList<StaffLogEntry> = {
  name: 'log',
  title: 'Audit log',
  lead: 'Every action of staff with its reason. Nobody can change or remove a line.',
  none: 'Nothing yet.',
  searched: null,
  filters: [
    {
      name: 'action',
      title: 'Action',
      choices: Object.entries(staffActions).map(([value, { title }]) => ({ value, title })),
    },
  ],
  columns: [
    { key: 'at', title: 'When', cell: ({ at }) => ({ at }) },
    { key: 'actor', title: 'Who', cell: ({ actor, actorRole }) => `${actor ?? 'at the machine'} (${actorRole})` },
    { key: 'action', title: 'Action', cell: ({ action }) => titleOf(action) },
    {
      key: 'subject',
      title: 'Of what',
      cell: ({ subject }) => `${subject.kind} ${subject.id}`,
      href: ({ subject: { kind, id } }) => solePlaces[kind] ?? (places[kind] ? `${places[kind]}/${id}` : null),
    },
    { key: 'reason', title: 'Why', cell: ({ reason }) => reason },
    {
      key: 'changes',
      title: 'What changed',
      cell: ({ before, after }) =>
        changesOf(before, after)
          .map((change) => `${change.name}: ${change.before ?? 'nothing'} → ${change.after ?? 'nothing'}`)
          .join('; '),
    },
  ],
  read: async (viewer, { chosen, after, limit }) => {
    const rows = await listStaffActions(viewer, {
      action: chosen['action'] ?? null,
      after: wholeNumberOf(after),
      limit: limit + 1,
    });
    return { rows: rows.slice(0, limit), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};
