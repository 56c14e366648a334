import 'server-only';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { noteEvents } from '@/lib/events/commands';
import type { StaffNews } from '@/lib/events/schema';
import { closeOrdersOf } from '@/lib/memberships/commands';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { decisionMoment } from '@/lib/platform/moment';
import { newReference } from '@/lib/platform/reference';
import type { Role } from '@/lib/reference/schema';
import { act } from '@/lib/staff/commands';
import type { StaffAction, StaffFacts, StaffOrder, StaffOutcome } from '@/lib/staff/schema';
import { exportAccount } from '../queries/export';
import { roleNames } from '../rules/roles';
import type { UserExport } from '../schema/user';
import { deleteAccountOf } from './deletion';
import { revokeSessions } from './sessions';

/** What staff order about a member: who orders it, the number of the account, why, and whether it is only tried. */
export type ByStaff = { staff: Viewer; user: number } & StaffOrder;

type Held = { role: Role; isSuspended: boolean; hasFactor: boolean; sessions: number };

async function read(accountId: number): Promise<Held> {
  const { rows } = await sql<Held>`
    select role, exists (select 1 from suspension where account_id = account.id) as "isSuspended",
      exists (select 1 from staff_factor where account_id = account.id and confirmed_at is not null) as "hasFactor",
      (select count(*)::int from session where account_id = account.id and revoked_at is null) as sessions
    from account where id = ${accountId} and deleted_at is null
  `.execute(database());
  if (!rows[0]) throw new Failure('missing', 'There is no such member, or the account was deleted.');
  return rows[0];
}

type Work = (held: Held) => Promise<{ before: StaffFacts; after: StaffFacts }>;

/** Does it under the locks of both accounts. */
async function on(action: StaffAction, { staff, user, ...order }: ByStaff, work: Work) {
  return act({ staff, action, subject: { kind: 'user', id: String(user) }, accounts: [user], ...order }, async () => {
    const changed = await work(await read(user));
    await forget([`account:${user}`]);
    return changed;
  });
}

/** Product §11: a member reads and writes no more, and is told why; nobody can join their portfolios meanwhile (0117). Failure 'conflict' when that is so already; else as `act`, 'missing' for no account. */
export async function suspendUser(order: ByStaff): Promise<StaffOutcome> {
  return on('user.suspend', order, async ({ isSuspended }) => {
    if (isSuspended) throw new Failure('conflict', 'This member is suspended already.');
    const reason = order.preview && order.reason.trim() === '' ? 'A preview.' : order.reason.trim();
    await sql`insert into suspension (account_id, reason) values (${order.user}, ${reason})`.execute(database());
    await forgetPortfolios(order.user);
    return { before: { suspended: false }, after: { suspended: true } };
  });
}

/** Product §11: a suspended member writes again. Failure 'conflict' for one who is not suspended; else as `act`, 'missing' for no account. */
export async function reinstateUser(order: ByStaff): Promise<StaffOutcome> {
  return on('user.reinstate', order, async ({ isSuspended }) => {
    if (!isSuspended) throw new Failure('conflict', 'This member is not suspended.');
    await sql`delete from suspension where account_id = ${order.user}`.execute(database());
    await forgetPortfolios(order.user);
    return { before: { suspended: true }, after: { suspended: false } };
  });
}

// What they sell is on sale no more, or again.
async function forgetPortfolios(owner: number): Promise<void> {
  const { rows } = await sql<{ reference: string }>`select reference from portfolio where owner_id = ${owner}`.execute(
    database(),
  );
  await forget(rows.map(({ reference }) => `portfolio:${reference}`));
}

/** Product §11: every login of a member ends. Refuses as `act`; 'missing' for no account. */
export async function endUserSessions(order: ByStaff): Promise<StaffOutcome> {
  return on('user.revoke', order, async ({ sessions }) => {
    await revokeSessions(order.user, 'ended by staff', await decisionMoment());
    return { before: { logins: sessions }, after: { logins: 0 } };
  });
}

/**
 * Product §11, §12: writes to a member, who finds it in their notifications and by mail as they chose. The log keeps the subject; the text goes
 * with the news it is, after 90 days. Refuses as `act`; 'missing' for no account.
 */
export async function messageUser({
  title,
  body,
  ...order
}: ByStaff & Pick<StaffNews, 'title' | 'body'>): Promise<StaffOutcome> {
  return on('user.message', order, async () => {
    const at = await decisionMoment();
    const key = `staff:${newReference()}`;
    await noteEvents([{ kind: 'staff', key, at, accountId: order.user, details: { title, body, path: null } }]);
    return { before: {}, after: { subject: title, characters: body.length } };
  });
}

/** Product §11: a member's second factor is forgotten, and set up anew at the next visit to /admin. Failure 'conflict' where there is none; else as `act`. */
export async function resetSecondFactor(order: ByStaff): Promise<StaffOutcome> {
  return on('user.second-factor', order, async ({ hasFactor }) => {
    if (!hasFactor) throw new Failure('conflict', 'This member has no second factor.');
    await forgetFactor(order.user);
    return { before: { 'second factor': true }, after: { 'second factor': false } };
  });
}

/** Forgets a second factor, and that logins have shown it. */
export async function forgetFactor(accountId: number): Promise<void> {
  await sql`delete from staff_factor where account_id = ${accountId}`.execute(database());
  await sql`delete from staff_session where session_id in (select id from session where account_id = ${accountId})`.execute(
    database(),
  );
}

/** Product §11: a member has another role; logins must show the second factor again. Failure 'conflict' where it is theirs already; else as `act`, for super admins. */
export async function setRole({ role, ...order }: ByStaff & { role: Role }): Promise<StaffOutcome> {
  return on('user.role', order, async ({ role: before }) => {
    if (before === role) throw new Failure('conflict', 'This member has that role already.');
    await changeRole(order.user, role);
    return { before: { role: roleNames[before] }, after: { role: roleNames[role] } };
  });
}

/** Gives an account a role; its logins have not shown the second factor for it. */
export async function changeRole(accountId: number, role: Role): Promise<void> {
  await sql`update account set role = ${role} where id = ${accountId}`.execute(database());
  await sql`delete from staff_session where session_id in (select id from session where account_id = ${accountId})`.execute(
    database(),
  );
}

/** Product §11, §3: deletes a member's account as they could themselves. Refuses as `act`, for super admins; 'missing' for no account. */
export async function deleteUser(order: ByStaff): Promise<StaffOutcome> {
  const outcome = await on('user.delete', order, async ({ role, sessions }) => {
    const counted = await sql<{ portfolios: number; follows: number }>`
      select (select count(*)::int from portfolio where owner_id = ${order.user} and abandoned_at is null) as portfolios,
        (select count(*)::int from follow where account_id = ${order.user}) as follows
    `.execute(database());
    await deleteAccountOf({ accountId: order.user, role }, await decisionMoment());
    const { portfolios = 0, follows = 0 } = counted.rows[0] ?? {};
    return {
      before: { deleted: false, logins: sessions, 'portfolios on show': portfolios, follows },
      after: { deleted: true, logins: 0, 'portfolios on show': 0, follows: 0 },
    };
  });
  if (outcome.entry !== null) await closeOrdersOf(order.user);
  return outcome;
}

/** Product §11: everything held on a member, for a member who asks for it in writing; the log says that it was taken. Refuses as `act`; 'missing' for no account. */
export async function exportUserForStaff({ staff, user, reason }: Omit<ByStaff, 'preview'>): Promise<UserExport> {
  let held: UserExport | null = null;
  await on('user.export', { staff, user, reason, preview: false }, async () => {
    held = await exportAccount(user, await decisionMoment());
    return { before: {}, after: { exported: true } };
  });
  if (!held) throw new Failure('missing', 'There is no such member, or the account was deleted.');
  return held;
}
