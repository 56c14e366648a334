import 'server-only';
import { sql } from 'kysely';
import { forget } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { Role } from '@/lib/reference/schema';
import { writeEntry } from '@/lib/staff/commands';
import { roleNames } from '../rules/roles';
import { changeRole, forgetFactor } from './staff';

type Found = { id: number; username: string; role: Role };

async function hold(email: string): Promise<Found> {
  const { rows } = await sql<Found>`
    select id, username, role from account where lower(email) = lower(${email}) and email_confirmed and deleted_at is null for no key update
  `.execute(database());
  if (!rows[0])
    throw new Failure(
      'missing',
      `No account has confirmed the address ${email}. Sign up with it on the site and confirm it first.`,
    );
  return rows[0];
}

/**
 * Product §11: gives the account of an e-mail address a role, by whoever works at the machine: the way to the first super admin. The log says so.
 * Gives the username. Failure 'missing' for an address that no account confirmed, 'conflict' where the role is theirs, or the last super admin's to lose.
 */
export async function grantAtMachine(email: string, role: Role): Promise<string> {
  return transact(async () => {
    const { id, username, role: before } = await hold(email);
    if (before === role) throw new Failure('conflict', `${username} has the role ${roleNames[role]} already.`);
    if (before === Role.superAdmin) {
      const { rows } = await sql`
        select 1 from account where role = ${Role.superAdmin} and deleted_at is null and id <> ${id}
      `.execute(database());
      if (rows.length === 0)
        throw new Failure('conflict', `${username} is the last super admin. Give the role to somebody else first.`);
    }
    await changeRole(id, role);
    await writeEntry({
      actor: 'machine',
      action: 'user.role',
      subject: { kind: 'user', id: String(id) },
      reason: 'By npm run staff.',
      before: { role: roleNames[before] },
      after: { role: roleNames[role] },
    });
    await forget([`account:${id}`]);
    return username;
  });
}

/** Product §11: forgets the second factor of the account of an e-mail address, which is set up anew at the next visit to /admin. Gives the username. Failure 'missing' for no such account. */
export async function resetSecondFactorAtMachine(email: string): Promise<string> {
  return transact(async () => {
    const { id, username } = await hold(email);
    await forgetFactor(id);
    await writeEntry({
      actor: 'machine',
      action: 'user.second-factor',
      subject: { kind: 'user', id: String(id) },
      reason: 'By npm run staff.',
      before: { 'second factor': true },
      after: { 'second factor': false },
    });
    await forget([`account:${id}`]);
    return username;
  });
}
