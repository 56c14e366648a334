import { sql } from 'kysely';
import { readStaffEntrant, readStaffViewer } from '@/lib/pages/staff-page';
import { database } from '@/lib/platform/database';
import { Role } from '@/lib/reference/schema';
import { staffDetailPaths, staffPages } from '@/lib/staff/schema';
import { logIn, openAccount, openStaff } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

let cookie: string | null = null;
jest.mock('next/headers', () => ({
  cookies: async () => ({ get: () => (cookie === null ? undefined : { value: cookie }) }),
}));
jest.mock('next/navigation', () => ({
  redirect: (to: string) => {
    throw new Error(`to ${to}`);
  },
}));

const cookies: Record<string, string | null> = { guest: null };

beforeAll(async () => {
  standAt(worldNow);
  const enter = async (name: string, role: Role) =>
    (await logIn(await openAccount(name, { role }, worldNow), worldNow)).cookie;
  cookies['member'] = await enter('bob', Role.user);
  const shop = await openShop('ann', { name: 'Ann Football' }, worldNow);
  cookies['owner'] = shop.owner.kind === 'member' ? (await logIn(shop.owner.accountId, worldNow)).cookie : null;
  await sql`update account set email = 'ann@example.org', email_confirmed = true where username = 'ann'`.execute(
    database(),
  );
  cookies['unproven'] = await enter('una', Role.superAdmin);
  const suspended = await openStaff('sam', Role.superAdmin, worldNow);
  await sql`insert into suspension (account_id, reason) values (${suspended.id}, 'A test.')`.execute(database());
  cookies['suspended'] = suspended.session.cookie;
  cookies['admin'] = (await openStaff('ada', Role.admin, worldNow)).session.cookie;
  cookies['super admin'] = (await openStaff('sue', Role.superAdmin, worldNow)).session.cookie;
});

const answer = async (who: string, read: () => Promise<unknown>) => {
  cookie = cookies[who] ?? null;
  return read().then(
    () => 'seen',
    (error: Error) => error.message,
  );
};

const paths = [...staffPages.map(({ path }) => path), ...staffDetailPaths];
const encoded = (path: string) => encodeURIComponent(path);
const entry = (path: string) => `to /admin/second-factor?${new URLSearchParams({ redirect_to: path })}`;

test.each(paths)('the page %s is seen by staff who showed their second factor, and by nobody else', async (path) => {
  const wanted: Record<string, string> = {
    guest: `to /login?redirect_to=${encoded(path)}`,
    member: 'to /dashboard',
    owner: 'to /dashboard',
    unproven: entry(path),
    suspended: 'to /dashboard',
    admin: 'seen',
    'super admin': 'seen',
  };
  const got: Record<string, string> = {};
  for (const who of Object.keys(wanted)) got[who] = await answer(who, () => readStaffViewer(path));
  expect(got).toEqual(wanted);
});

test('the second factor is shown by staff who have not, and by nobody who is none', async () => {
  const read = () => readStaffEntrant('/admin/second-factor', {});
  expect(await answer('unproven', read)).toBe('seen');
  for (const who of ['member', 'owner', 'suspended']) expect(await answer(who, read)).toBe('to /dashboard');
});

test('whoever must sign in or show the second factor comes back with all that was asked for', async () => {
  const asked = { q: 'a b', kind: ['x', 'y'], none: undefined };
  const here = '/admin/users?q=a+b&kind=x&kind=y';
  const read = () => readStaffViewer('/admin/users', asked);
  expect([await answer('guest', read), await answer('unproven', read)]).toEqual([
    `to /login?redirect_to=${encoded(here)}`,
    entry(here),
  ]);
  expect(await answer('guest', () => readStaffEntrant('/admin/second-factor', { redirect_to: here }))).toBe(
    `to /login?redirect_to=${encoded(entry(here).slice(3))}`,
  );
});
