import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { refundOrder } from '@/lib/memberships/commands';
import { decideOnPayout } from '@/lib/money/commands';
import { allowMailAgain, stopMail } from '@/lib/notifications/commands';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { changePortfolioByStaff } from '@/lib/portfolios/commands';
import { Role } from '@/lib/reference/schema';
import { orderRuling } from '@/lib/rulings/commands';
import { logIn, openStaff, proveStaff, viewerOf } from '../support/accounts';
import { onTestDatabase, undone } from '../support/database';
import { buildStaffWorld, type StaffWorld } from '../support/staff-world';
import { worldNow } from '../support/world';

onTestDatabase();

let world: StaffWorld;
let ada: Viewer;
let sue: Viewer;
beforeAll(async () => {
  world = await buildStaffWorld();
  ada = (await openStaff('ada', Role.admin, worldNow)).viewer;
  sue = (await openStaff('sue', Role.superAdmin, worldNow)).viewer;
});

/** A member of this name becomes staff, and is here. */
async function promoted(username: string, role: Role): Promise<Viewer> {
  const { rows } = await sql<{ id: number }>`
    update account set role = ${role} where username = ${username} returning id
  `.execute(database());
  const session = await logIn(rows[0]?.id ?? 0, worldNow, role);
  await proveStaff(session, worldNow);
  return viewerOf(session, worldNow);
}

const tried = { reason: 'A test needs it.', preview: true };

/** What staff do to what ann owns and cleo bought of her, each as a preview. */
const deeds = {
  'a tip': (staff: Viewer) => orderRuling({ staff, reference: world.tip, action: 'tip.void', ...tried }),
  'a portfolio': (staff: Viewer) =>
    changePortfolioByStaff({ staff, reference: world.portfolio, action: 'portfolio.feature', ...tried }),
  'a place in Pro': (staff: Viewer) =>
    changePortfolioByStaff({ staff, reference: world.portfolio, action: 'portfolio.join-pro', ...tried }),
  'a payout': (staff: Viewer) => decideOnPayout({ staff, reference: world.payout, action: 'payout.approve', ...tried }),
};
const refund = (staff: Viewer) =>
  refundOrder({ staff, reference: world.order, amountMinor: null, ends: false, ...tried });
const at = <T>(deed: () => Promise<T>) => decidedAt(worldNow, deed);
const done = expect.objectContaining({ entry: null });
const refused = (message: RegExp) => ({ kind: 'forbidden', message: expect.stringMatching(message) });

describe.each(Object.entries(deeds))('%s', (_, deed) => {
  test(
    'is no matter for its owner, of whatever rank, and of an owner on the staff one for super admins',
    undone(async () => {
      expect(await at(() => deed(ada))).toEqual(done);
      const admin = await promoted('ann', Role.admin);
      await expect(at(() => deed(admin))).rejects.toMatchObject(refused(/your own account/));
      await expect(at(() => deed(ada))).rejects.toMatchObject(refused(/Ask a super admin/));
      expect(await at(() => deed(sue))).toEqual(done);
      const superAdmin = await promoted('ann', Role.superAdmin);
      await expect(at(() => deed(superAdmin))).rejects.toMatchObject(refused(/other than yourself/));
    }),
  );
});

describe('a refund', () => {
  test(
    'is no matter for its tipster, and stays one for other admins',
    undone(async () => {
      const ann = await promoted('ann', Role.admin);
      await expect(at(() => refund(ann))).rejects.toMatchObject(refused(/somebody else of staff/));
      expect(await at(() => refund(ada))).toEqual(done);
    }),
  );

  test(
    'is no matter for its buyer, and of a buyer on the staff one for super admins',
    undone(async () => {
      const cleo = await promoted('cleo', Role.admin);
      await expect(at(() => refund(cleo))).rejects.toMatchObject(refused(/your own account/));
      await expect(at(() => refund(ada))).rejects.toMatchObject(refused(/Ask a super admin/));
      expect(await at(() => refund(sue))).toEqual(done);
    }),
  );
});

test(
  'news to an address are stopped and allowed again by others than its member, and of staff by super admins',
  undone(async () => {
    const stop = (staff: Viewer, address: string) =>
      at(() => stopMail(staff, { action: 'bounce.stop', address, reason: 'A test needs it.', preview: false }));
    await expect(stop(ada, 'ada@example.org')).rejects.toMatchObject(refused(/your own account/));
    await expect(stop(ada, 'sue@example.org')).rejects.toMatchObject(refused(/Ask a super admin/));
    await stop(sue, 'ada@example.org');
    const { rows } = await sql<{ id: number }>`select id from mail_stop where address = 'ada@example.org'`.execute(
      database(),
    );
    await expect(at(() => allowMailAgain(ada, rows[0]?.id ?? 0, tried))).rejects.toMatchObject(
      refused(/your own account/),
    );
    expect(await at(() => allowMailAgain(sue, rows[0]?.id ?? 0, tried))).toEqual(done);
  }),
);
