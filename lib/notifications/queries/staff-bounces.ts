import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';
import { bounceKind, bounceTitles, type BounceKind } from '../rules/bounces';

/** An address to which no news go by mail, as staff see it. */
export type StaffBounce = {
  id: number;
  address: string;
  kind: BounceKind;
  /** What the mail server said. */
  because: string;
  at: string;
  accountId: number | null;
  username: string | null;
};

type Row = Omit<StaffBounce, 'kind' | 'at'> & { byStaff: boolean; at: Date };

const source = sql`mail_stop left join account on lower(account.email) = mail_stop.address`;
const columns = sql`mail_stop.id, address, because, by_staff as "byStaff", at, account.id as "accountId", username`;

const viewOf = ({ byStaff, at, ...row }: Row): StaffBounce => ({
  ...row,
  kind: bounceKind(row.because, byStaff),
  at: at.toISOString(),
});

const kinds: Readonly<Record<BounceKind, RawBuilder<unknown>>> = {
  staff: sql`and by_staff`,
  returned: sql`and not by_staff and because like 'Came back:%'`,
  refused: sql`and not by_staff and because not like 'Came back:%'`,
};

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Product §11, §12: the addresses to which no news go by mail, the last first. */
export const staffBounces: StaffList<StaffBounce> = {
  name: 'bounces',
  title: 'Addresses that bounce',
  lead: 'No notification e-mails are sent to these addresses, because a mail server refused one for good (a hard bounce) or staff stopped them. Mails that somebody asks for, such as codes, still go; one that arrives lifts a bounce by itself. What may pass, such as a full mailbox, stops nothing: it is tried again in the mail outbox.',
  none: 'No address is stopped, or none fits. Search by a part of the address, such as @ and its domain.',
  searched: 'part of the address',
  filters: [
    {
      name: 'kind',
      title: 'Kind',
      choices: Object.entries(bounceTitles).map(([value, title]) => ({ value, title })),
    },
  ],
  columns: [
    {
      key: 'address',
      title: 'Address',
      cell: ({ address }) => address,
      href: ({ id }) => routes.staff('bounces', { id }),
    },
    {
      key: 'member',
      title: 'Member',
      cell: ({ username }) => username ?? 'nobody now',
      href: ({ accountId }) => (accountId === null ? null : routes.staff('users', { id: accountId })),
    },
    { key: 'at', title: 'Since', cell: ({ at }) => ({ at }) },
    {
      key: 'kind',
      title: 'Kind',
      cell: ({ kind }) => ({ state: bounceTitles[kind], tone: kind === 'staff' ? 'notice' : 'loss' }),
    },
    { key: 'because', title: 'What the mail server said', wide: true, cell: ({ because }) => because },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const before = wholeNumberOf(after);
    const part = q === null ? null : `%${escaped(q.toLowerCase())}%`;
    const { rows } = await sql<Row>`
      select ${columns} from ${source}
      where (${before}::int is null or mail_stop.id < ${before}::int) and (${part}::text is null or address like ${part}::text)
        ${(kinds as Record<string, RawBuilder<unknown>>)[chosen['kind'] ?? ''] ?? sql``}
      order by mail_stop.id desc limit ${limit + 1}
    `.execute(database());
    return { rows: rows.slice(0, limit).map(viewOf), next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

/** An address to which no news go by mail. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for one to which they go again. */
export async function getBounceForStaff(viewer: Viewer, id: number): Promise<StaffBounce> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row>`select ${columns} from ${source} where mail_stop.id = ${id}`.execute(database());
  if (!rows[0]) throw new Failure('missing', 'Notifications are sent to this address again, or it never was stopped.');
  return viewOf(rows[0]);
}

/** Whether news to a member's address are stopped: the number of the stop, null where they are not. Failure 'unauthorised' or 'forbidden' for whoever is not staff. */
export async function findBounceOf(viewer: Viewer, accountId: number): Promise<number | null> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<{ id: number }>`
    select mail_stop.id from mail_stop join account on lower(account.email) = mail_stop.address where account.id = ${accountId}
  `.execute(database());
  return rows[0]?.id ?? null;
}
