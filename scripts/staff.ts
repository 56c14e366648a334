import { grantAtMachine, resetSecondFactorAtMachine } from '@/lib/accounts/commands';
import { listStaffPeople } from '@/lib/accounts/queries';
import { roleNames } from '@/lib/accounts/rules';
import { isFailure } from '@/lib/platform/errors';
import { openProgram } from '@/lib/program/program';
import { Role } from '@/lib/reference/schema';

const usage = `Usage: npm run staff -- list | grant <role> <e-mail> | revoke <role> <e-mail> | reset-second-factor <e-mail>

  list                          who has a role of staff, and whether they have a second factor
  grant <role> <e-mail>         gives the account of a confirmed address the role admin or super-admin
  revoke <role> <e-mail>        takes that role away
  reset-second-factor <e-mail>  forgets a second factor; it is set up anew at the next visit to /admin`;

const roles: Readonly<Record<string, Role>> = { admin: Role.admin, 'super-admin': Role.superAdmin };

const say = (line: string) => process.stderr.write(`${line}\n`);

function said(line: string, code: number): number {
  (code === 0 ? process.stdout : process.stderr).write(`${line}\n`);
  return code;
}

async function revoke(role: Role, email: string): Promise<string> {
  const held = (await listStaffPeople()).find((person) => person.email?.toLowerCase() === email.toLowerCase());
  if (held && held.role !== role)
    return `Error: ${held.username} has the role ${roleNames[held.role]}: revoke that one.`;
  return `${await grantAtMachine(email, Role.user)} has no role of staff any more.`;
}

async function run([command, ...given]: readonly string[]): Promise<string | null> {
  const [first = '', second = ''] = given;
  const role = roles[first];
  if (command === 'list' && given.length === 0) {
    const people = await listStaffPeople();
    const lines = people.map(
      ({ username, email, role: own, hasFactor }) =>
        `${username}  ${email ?? 'no address'}  ${roleNames[own]}  ${hasFactor ? 'second factor set up' : 'no second factor yet'}`,
    );
    return lines.join('\n') || 'Nobody has a role of staff. Begin with: npm run staff -- grant super-admin <e-mail>';
  }
  if (command === 'reset-second-factor' && given.length === 1)
    return `${await resetSecondFactorAtMachine(first)} sets up a second factor at the next visit to /admin.`;
  if (role === undefined || given.length !== 2) return null;
  if (command === 'grant') return `${await grantAtMachine(second, role)} has the role ${roleNames[role]}.`;
  return command === 'revoke' ? revoke(role, second) : null;
}

/** Lists staff, or changes who they are; returns the exit code. */
export async function main(given: string[]): Promise<number> {
  if (!['list', 'grant', 'revoke', 'reset-second-factor'].includes(given[0] ?? '')) return said(usage, 1);
  const program = await openProgram(say);
  try {
    const answer = await run(given);
    if (answer === null) return said(usage, 1);
    return said(answer, answer.startsWith('Error: ') ? 1 : 0);
  } catch (error) {
    if (isFailure(error)) return said(`Error: ${error.message}`, 1);
    throw error;
  } finally {
    await program.close();
  }
}
