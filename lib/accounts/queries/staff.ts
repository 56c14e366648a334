import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { listPauses } from '@/lib/pauses/queries';
import type { TakenPause } from '@/lib/pauses/schema';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { wholeNumberOf } from '@/lib/platform/whole-number';
import { Role } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { refuseUnlessStaff } from '@/lib/staff/queries';
import type { StaffList } from '@/lib/staff/schema';
import { roleNames } from '../rules/roles';
import type { SessionView } from '../schema/user';

/** A member in the list of staff. */
export type StaffUserRow = {
  id: number;
  username: string;
  email: string | null;
  role: Role;
  isConfirmed: boolean;
  isSuspended: boolean;
  isDeleted: boolean;
  createdAt: string;
  usedAt: string | null;
};

/** A member as their page for staff shows them: their logins that hold, their portfolios, and why they are suspended where they are. */
export type StaffUser = StaffUserRow & {
  pro: boolean;
  demo: boolean;
  hasFactor: boolean;
  suspendedBecause: string | null;
  sessions: Omit<SessionView, 'current'>[];
  portfolios: { reference: string; name: string }[];
  memberships: number;
  /** The breaks from betting that they ever took, the first one first: nobody ends one. */
  pauses: TakenPause[];
};

type Row = Omit<StaffUserRow, 'createdAt' | 'usedAt'> & { createdAt: Date; usedAt: Date | null };

const columns = sql`account.id, username, email, role, email_confirmed as "isConfirmed", deleted_at is not null as "isDeleted", account.created_at as "createdAt",
  exists (select 1 from suspension where account_id = account.id) as "isSuspended",
  (select max(used_at) from session where account_id = account.id) as "usedAt"`;

const viewOf = <R extends Row>({ createdAt, usedAt, ...row }: R) => ({
  ...row,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt?.toISOString() ?? null,
});

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

const stateOf = ({ isDeleted, isSuspended, isConfirmed }: StaffUserRow) =>
  isDeleted
    ? ({ state: 'Deleted', tone: 'plain' } as const)
    : isSuspended
      ? ({ state: 'Suspended', tone: 'loss' } as const)
      : isConfirmed
        ? ({ state: 'Open', tone: 'profit' } as const)
        : ({ state: 'Not confirmed', tone: 'notice' } as const);

/** Product §11: the members, the newest first, searched by the beginning of a name, an address, or a number. */
export const staffUsers: StaffList<StaffUserRow> = {
  name: 'users',
  title: 'Members',
  lead: 'Everybody who has an account. Open one to see logins, suspend, export or delete.',
  none: 'No matching accounts. Search by the beginning of a username or an e-mail address, or by the number of an account.',
  searched: 'username, e-mail address or number',
  filters: [
    {
      name: 'role',
      title: 'Role',
      choices: Object.entries(roleNames).map(([value, title]) => ({ value, title })),
    },
    {
      name: 'state',
      title: 'State',
      choices: [
        { value: 'open', title: 'Open' },
        { value: 'unconfirmed', title: 'Not confirmed' },
        { value: 'suspended', title: 'Suspended' },
        { value: 'deleted', title: 'Deleted' },
      ],
    },
  ],
  columns: [
    {
      key: 'username',
      title: 'Username',
      cell: ({ username }) => username,
      href: ({ id }) => routes.staff('users', { id }),
    },
    { key: 'id', title: 'Number', figure: true, cell: ({ id }) => id },
    { key: 'email', title: 'E-mail', cell: ({ email }) => email },
    { key: 'role', title: 'Role', cell: ({ role }) => roleNames[role] },
    { key: 'state', title: 'State', cell: stateOf },
    { key: 'created', title: 'Since', cell: ({ createdAt }) => ({ at: createdAt }) },
    { key: 'used', title: 'Last seen', cell: ({ usedAt }) => ({ at: usedAt }) },
  ],
  read: async (viewer, { q, chosen, after, limit }) => {
    refuseUnlessStaff(viewer);
    const number = wholeNumberOf(q);
    const begins = q === null ? null : `${escaped(q.toLowerCase())}%`;
    const before = wholeNumberOf(after);
    const state = chosen['state'] ?? null;
    const { rows } = await sql<Row>`
      select ${columns} from account
      where (${before}::int is null or account.id < ${before}::int)
        and (${begins}::text is null or username like ${begins}::text or lower(email) like ${begins}::text or account.id = ${number}::int)
        and (${chosen['role'] ?? null}::int is null or role = ${chosen['role'] ?? null}::int)
        and (${state}::text is null or case ${state}::text
          when 'deleted' then deleted_at is not null
          when 'suspended' then exists (select 1 from suspension where account_id = account.id)
          when 'unconfirmed' then deleted_at is null and not email_confirmed
          else deleted_at is null and email_confirmed and not exists (select 1 from suspension where account_id = account.id) end)
      order by account.id desc limit ${limit + 1}
    `.execute(database());
    const next = rows.length > limit ? String(rows[limit - 1]?.id) : null;
    return { rows: rows.slice(0, limit).map(viewOf), next };
  },
};

/** A member as staff see them. Failure 'unauthorised' or 'forbidden' for whoever is not staff, 'missing' for no such account. */
export async function getUserForStaff(viewer: Viewer, accountId: number, now: Date): Promise<StaffUser> {
  refuseUnlessStaff(viewer);
  const { rows } = await sql<Row & Omit<StaffUser, keyof StaffUserRow | 'sessions' | 'portfolios' | 'pauses'>>`
    select ${columns}, pro, demo, (select reason from suspension where account_id = account.id) as "suspendedBecause",
      exists (select 1 from staff_factor where account_id = account.id and confirmed_at is not null) as "hasFactor",
      (select count(*)::int from membership where account_id = account.id and starts_at <= ${now} and ends_at > ${now}) as memberships
    from account where id = ${accountId}
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such member.');
  const sessions = await sql<{ id: string; device: string; address: string; createdAt: Date; usedAt: Date }>`
    select id, device, address, created_at as "createdAt", used_at as "usedAt" from session
    where account_id = ${accountId} and revoked_at is null and expires_at > ${now} order by used_at desc, id
  `.execute(database());
  const portfolios = await sql<{ reference: string; name: string }>`
    select reference, name from portfolio where owner_id = ${accountId} order by id
  `.execute(database());
  return {
    ...viewOf(rows[0]),
    sessions: sessions.rows.map(({ createdAt, usedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      usedAt: usedAt.toISOString(),
    })),
    portfolios: portfolios.rows,
    pauses: await listPauses(accountId),
  };
}

/** Who has a role of staff, by name, for whoever works at the machine. */
export async function listStaffPeople(): Promise<
  { username: string; email: string | null; role: Role; hasFactor: boolean }[]
> {
  const { rows } = await sql<{ username: string; email: string | null; role: Role; hasFactor: boolean }>`
    select username, email, role, exists (select 1 from staff_factor where account_id = account.id and confirmed_at is not null) as "hasFactor"
    from account where role <> ${Role.user} and deleted_at is null order by username
  `.execute(database());
  return rows;
}

/** Product §11: why the viewer is suspended, null for whoever is not. */
export async function findSuspension(viewer: Viewer): Promise<string | null> {
  if (viewer.kind === 'guest' || !viewer.suspended) return null;
  const { rows } = await sql<{
    reason: string;
  }>`select reason from suspension where account_id = ${viewer.accountId}`.execute(database());
  return rows[0]?.reason ?? null;
}
