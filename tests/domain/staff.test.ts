import { sql } from 'kysely';
import {
  deleteUser,
  endUserSessions,
  messageUser,
  exportUserForStaff,
  grantAtMachine,
  reinstateUser,
  resetSecondFactor,
  resetSecondFactorAtMachine,
  setRole,
  suspendUser,
} from '@/lib/accounts/commands';
import { getUserForStaff, staffUsers } from '@/lib/accounts/queries';
import type { Viewer } from '@/lib/access/schema';
import { database, transact } from '@/lib/platform/database';
import { Role } from '@/lib/reference/schema';
import { beginFactor, confirmFactor, proveFactor } from '@/lib/staff/commands';
import { findFactorState, listStaffActions, staffLog } from '@/lib/staff/queries';
import { fromBase32, stepOf, totpCode } from '@/lib/staff/rules/totp';
import { factorLimits } from '@/lib/staff/schema';
import { logIn, openAccount, openStaff, viewerOf } from '../support/accounts';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { decidedAt } from '@/lib/platform/moment';
import { worldNow } from '../support/world';

onTestDatabase();

let sue: Viewer;
let ada: Viewer;
let bob = 0;
const order = (staff: Viewer, more: { reason?: string; preview?: boolean } = {}) => ({
  staff,
  user: bob,
  reason: 'They asked for it.',
  preview: false,
  ...more,
});

beforeAll(async () => {
  sue = (await openStaff('sue', Role.superAdmin, worldNow)).viewer;
  ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
  bob = await openAccount('bob', {}, worldNow);
});

const count = async () => (await listStaffActions(sue, { limit: 100 })).length;

describe('an action of staff', () => {
  test(
    'is done and written down together, with who, why, before and after',
    undone(async () => {
      const { entry, before, after } = await suspendUser(order(ada));
      expect([before, after]).toEqual([{ suspended: false }, { suspended: true }]);
      expect(await listStaffActions(ada, { subject: { kind: 'user', id: String(bob) }, limit: 5 })).toEqual([
        expect.objectContaining({
          id: entry,
          actor: 'ada',
          actorRole: 'admin',
          action: 'user.suspend',
          reason: 'They asked for it.',
          before: { suspended: false },
          after: { suspended: true },
        }),
      ]);
    }),
  );

  test(
    'that is only tried shows what would be and leaves nothing',
    undone(async () => {
      const { entry, after } = await suspendUser(order(ada, { preview: true, reason: '' }));
      expect([entry, after, await count()]).toEqual([null, { suspended: true }, 0]);
      expect((await getUserForStaff(ada, bob, worldNow)).isSuspended).toBe(false);
    }),
  );

  test.each(['', '  ', 'x', 'y'.repeat(501)])('without a reason (%p) is refused and not done', (reason) =>
    undone(async () => {
      await expect(suspendUser(order(ada, { reason }))).rejects.toMatchObject({ kind: 'invalid' });
      expect([(await getUserForStaff(ada, bob, worldNow)).isSuspended, await count()]).toEqual([false, 0]);
    })(),
  );

  test(
    'that fails leaves no entry',
    undone(async () => {
      await expect(reinstateUser(order(ada))).rejects.toMatchObject({ kind: 'conflict' });
      expect(await count()).toBe(0);
    }),
  );

  test(
    'is refused to a viewer whose role was taken meanwhile, who shows no second factor, or who is no staff',
    undone(async () => {
      const login = await logIn(await openAccount('tom', { role: Role.admin }, worldNow), worldNow);
      await expect(suspendUser(order(await viewerOf(login, worldNow)))).rejects.toMatchObject({ kind: 'forbidden' });
      await sql`update account set role = 0 where username = 'ada'`.execute(database());
      await expect(suspendUser(order(ada))).rejects.toMatchObject({ kind: 'forbidden' });
      const plain = await viewerOf(await logIn(bob, worldNow), worldNow);
      await expect(suspendUser(order(plain))).rejects.toMatchObject({ kind: 'forbidden' });
      await expect(staffLog.read(plain, { q: null, chosen: {}, after: null, limit: 5 })).rejects.toMatchObject({
        kind: 'forbidden',
      });
    }),
  );

  test(
    'stays in the log: neither the program nor the owner of the tables changes or removes it',
    undone(async () => {
      await suspendUser(order(ada));
      for (const change of [
        sql`update staff_action set reason = 'other'`,
        sql`delete from staff_action`,
        sql`insert into staff_action (at, actor_role, action, subject_kind, subject, reason, before, after) values (now(), 'machine', 'a.b', 'user', '1', 'why', '{}', '{}')`,
      ])
        await expect(transact(() => change.execute(database()))).rejects.toMatchObject({ code: '42501' });
      await expect(transact(() => sql`truncate staff_action`.execute(database()))).rejects.toThrow();
    }),
  );
});

test('the owner of the tables cannot change the log either', async () => {
  await suspendUser(order(ada));
  await expect(asOwner(sql`update staff_action set reason = 'other'`)).rejects.toMatchObject({ code: '23001' });
  await expect(asOwner(sql`delete from staff_action`)).rejects.toMatchObject({ code: '23001' });
  await reinstateUser(order(ada));
});

describe('members', () => {
  test(
    'are suspended, reinstated, signed out and exported by admins, each with an entry',
    undone(async () => {
      const login = await logIn(bob, worldNow);
      await suspendUser(order(ada));
      expect(await viewerOf(login, worldNow)).toMatchObject({ kind: 'member', suspended: true });
      await reinstateUser(order(ada));
      expect(await viewerOf(login, worldNow)).toMatchObject({ kind: 'member', suspended: false });
      expect((await exportUserForStaff({ staff: ada, user: bob, reason: 'By letter.' })).account).toMatchObject({
        username: 'bob',
      });
      await endUserSessions(order(ada));
      expect(await viewerOf(login, worldNow)).toMatchObject({ kind: 'guest' });
      expect((await listStaffActions(ada, { limit: 9 })).map(({ action }) => action).slice(0, 4)).toEqual([
        'user.revoke',
        'user.export',
        'user.reinstate',
        'user.suspend',
      ]);
    }),
  );

  test(
    'are written to: the message stands in their notifications, word for word, and only what is sent is told',
    undone(async () => {
      const words = { title: 'Your question', body: 'It is answered.\n\nThank you.' };
      await messageUser({ ...order(ada), ...words, preview: true });
      await expect(messageUser({ ...order(ada), ...words, user: 999_999 })).rejects.toMatchObject({ kind: 'missing' });
      const { after } = await messageUser({ ...order(ada), ...words });
      expect(after).toEqual({ subject: words.title, characters: words.body.length });
      const { rows } = await sql<{ account_id: number; details: unknown }>`
        select account_id, details from event where kind = 'staff' order by id
      `.execute(database());
      expect(rows).toEqual([{ account_id: bob, details: { ...words, path: null } }]);
    }),
  );

  test(
    'are given roles and deleted by super admins alone, nobody by themselves',
    undone(async () => {
      await expect(setRole({ ...order(ada), role: Role.admin })).rejects.toMatchObject({ kind: 'forbidden' });
      await expect(deleteUser(order(ada))).rejects.toMatchObject({ kind: 'forbidden' });
      const self = sue.kind === 'member' ? sue.accountId : 0;
      await expect(setRole({ ...order(sue), user: self, role: Role.user })).rejects.toMatchObject({
        kind: 'forbidden',
      });
      expect((await setRole({ ...order(sue), role: Role.admin })).after).toEqual({ role: 'admin' });
      await expect(suspendUser(order(ada))).rejects.toMatchObject({ kind: 'forbidden' });
      await deleteUser(order(sue));
      await expect(suspendUser(order(sue))).rejects.toMatchObject({ kind: 'missing' });
    }),
  );

  test('are found by the beginning of a name, an address or a number, and page by page', async () => {
    const read = async (q: string | null, chosen = {}, after: string | null = null, limit = 50) =>
      staffUsers.read(ada, { q, chosen, after, limit });
    expect((await read('BO')).rows.map(({ username }) => username)).toEqual(['bob']);
    expect((await read('bob@example')).rows.map(({ username }) => username)).toEqual(['bob']);
    expect((await read(String(bob))).rows.map(({ id }) => id)).toEqual([bob]);
    expect((await read('%')).rows).toEqual([]);
    expect((await read(null, { role: String(Role.admin) })).rows.map(({ username }) => username)).toEqual(['ada']);
    const first = await read(null, {}, null, 2);
    const second = await read(null, {}, first.next, 2);
    expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(
      first.rows.length + second.rows.length,
    );
  });
});

describe('the machine', () => {
  test(
    'makes the first super admin by a confirmed address, and not the last one less',
    undone(async () => {
      expect(await grantAtMachine('BOB@example.org', Role.superAdmin)).toBe('bob');
      expect(await grantAtMachine('sue@example.org', Role.user)).toBe('sue');
      await expect(grantAtMachine('bob@example.org', Role.user)).rejects.toMatchObject({ kind: 'conflict' });
      await expect(grantAtMachine('nobody@example.org', Role.admin)).rejects.toMatchObject({ kind: 'missing' });
      expect(await resetSecondFactorAtMachine('bob@example.org')).toBe('bob');
      const { rows } = await sql`select action, actor_role from staff_action order by id desc limit 2`.execute(
        database(),
      );
      expect(rows).toEqual([
        { action: 'user.second-factor', actor_role: 'machine' },
        { action: 'user.role', actor_role: 'machine' },
      ]);
    }),
  );
});

describe('the second factor', () => {
  const at = (milliseconds: number) => new Date(worldNow.getTime() + milliseconds);

  test(
    'is set up once, asked for in each login, takes a code once, and recovery codes',
    undone(async () => {
      const id = await openAccount('tim', { role: Role.admin }, worldNow);
      const login = await logIn(id, worldNow);
      const viewer = await viewerOf(login, worldNow);
      expect(await findFactorState(viewer)).toBe('missing');
      const { key, address } = await beginFactor(viewer);
      expect(address).toContain(key);
      const code = (moment: Date) => totpCode(fromBase32(key), stepOf(moment));
      await expect(decidedAt(worldNow, () => confirmFactor(viewer, '000000'))).rejects.toMatchObject({
        kind: 'invalid',
      });
      const { recoveryCodes } = await decidedAt(worldNow, async () => confirmFactor(viewer, await code(worldNow)));
      expect(recoveryCodes).toHaveLength(factorLimits.recoveryCodes);
      expect(await viewerOf(login, at(1_000))).toMatchObject({ proven: true });
      expect(await viewerOf(login, at(factorLimits.idleSeconds * 1_000 + 1_000))).toMatchObject({ proven: false });
      await expect(beginFactor(viewer)).rejects.toMatchObject({ kind: 'conflict' });

      const other = await logIn(id, worldNow);
      const again = await viewerOf(other, worldNow);
      expect(await findFactorState(again)).toBe('asked');
      await expect(decidedAt(worldNow, async () => proveFactor(again, await code(worldNow)))).rejects.toMatchObject({
        kind: 'invalid',
      });
      const later = at(60_000);
      await decidedAt(later, async () => proveFactor(again, await code(later)));
      expect(await viewerOf(other, later)).toMatchObject({ proven: true });
      const recovery = (recoveryCodes[0] ?? '').replaceAll('-', '');
      await decidedAt(later, () => proveFactor(again, recovery));
      await expect(decidedAt(later, () => proveFactor(again, recovery))).rejects.toMatchObject({ kind: 'invalid' });
      await resetSecondFactor({ staff: sue, user: id, reason: 'Lost the phone.', preview: false });
      expect(await viewerOf(other, later)).toMatchObject({ proven: false });
      expect(await findFactorState(again)).toBe('missing');
    }),
  );

  test(
    'is closed for a while after five wrong codes, the right one too',
    undone(async () => {
      const id = await openAccount('tia', { role: Role.admin }, worldNow);
      const viewer = await viewerOf(await logIn(id, worldNow), worldNow);
      const { key } = await beginFactor(viewer);
      const good = await totpCode(fromBase32(key), stepOf(worldNow));
      const wrong = good === '123456' ? '654321' : '123456';
      for (let tries = 0; tries < factorLimits.tries; tries += 1)
        await expect(decidedAt(worldNow, () => confirmFactor(viewer, wrong))).rejects.toMatchObject({
          kind: 'invalid',
        });
      await expect(decidedAt(worldNow, () => confirmFactor(viewer, good))).rejects.toMatchObject({ kind: 'locked' });
      const later = at(factorLimits.lockSeconds * 1_000 + 1_000);
      await decidedAt(later, async () => confirmFactor(viewer, await totpCode(fromBase32(key), stepOf(later))));
    }),
  );

  test('is for staff alone', async () => {
    const plain = await viewerOf(await logIn(bob, worldNow), worldNow);
    await expect(beginFactor(plain)).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await findFactorState(plain)).toBeNull();
  });
});
