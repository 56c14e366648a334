import { reinstateUser, suspendUser } from '@/lib/accounts/commands';
import { guest } from '@/lib/http/viewer';
import { readOrder, startCheckout } from '@/lib/memberships/commands';
import { getSale, listMemberships } from '@/lib/memberships/queries';
import { chooseOutcome } from '@/lib/money/commands';
import { decidedAt } from '@/lib/platform/moment';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { openStaff } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

test('a portfolio takes nobody while whoever publishes in it is suspended, and goes on for those who belong to it', async () => {
  const shop = await openShop('ann', { name: 'Ann Football', visibility: PortfolioVisibility.premium }, worldNow);
  const [bob, cat] = [await join('bob', worldNow), await join('cat', worldNow)];
  const { viewer: staff } = await openStaff('ada', Role.admin, worldNow);
  const user = shop.owner.kind === 'member' ? shop.owner.accountId : 0;
  const byStaff = { staff, user, reason: 'They sold what is not theirs.', preview: false };
  const asked = { portfolio: shop.reference, period: 'month' as const, amountMinor: 1500 };
  const buy = (viewer: typeof bob, key: string) =>
    decidedAt(worldNow, async () => {
      const { payUrl, reference } = await startCheckout(viewer, asked, key);
      await chooseOutcome(payUrl?.split('/').at(-1) ?? '', 'success');
      await readOrder(viewer, reference);
    });
  await buy(bob, 'bob');
  expect(await getSale(guest(), shop.reference)).toMatchObject({ open: true });
  await suspendUser(byStaff);
  const why = expect.stringContaining('cannot publish at the moment');
  expect(await getSale(guest(), shop.reference)).toMatchObject({ open: false, why });
  await expect(buy(cat, 'cat')).rejects.toMatchObject({ kind: 'conflict', message: why });
  expect(await listMemberships(bob, worldNow)).toMatchObject({ running: [{ state: 'active' }] });
  await reinstateUser(byStaff);
  expect(await getSale(guest(), shop.reference)).toMatchObject({ open: true, why: null });
  await buy(cat, 'cat again');
});
