import { followPortfolio } from '@/lib/accounts/commands';
import type { FeedPage } from '@/lib/notifications/schema/feed';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { describeCall, hostileNumbers } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

let headers: Record<string, string> = {};
let tip = '';

beforeAll(async () => {
  standAt(worldNow);
  const shop = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
  tip = (
    await publishTip(shop.owner, shop.reference, { idempotencyKey: 'one', legs: [leg], stakeHundredths: 100 }, worldNow)
  ).reference;
  const login = await logIn(await openAccount('bob', {}, worldNow), worldNow);
  headers = bearer(login);
  await followPortfolio(await viewerOf(login, worldNow), shop.reference, undefined, worldNow);
});

describeCall('/user/feed', 'GET', (ask) => {
  test('answers a member with what those whom they follow published, and lets nobody keep it', async () => {
    const { status, view, headers: sent } = await ask({ headers });
    expect([status, sent.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(view).toMatchObject({
      items: [{ kind: 'tip', tip: { reference: tip, lock: null } }],
      next: null,
    } satisfies object);
    expect(((await ask({ headers, query: { kind: 'posts' } })).view as FeedPage).items).toEqual([]);
    expect(((await ask({ headers, query: { kind: 'tips', skip: '1' } })).view as FeedPage).items).toEqual([]);
  });

  test('answers another member with what they follow, which is nothing', async () => {
    const stranger = bearer(await logIn(await openAccount('eve', {}, worldNow), worldNow));
    expect((await ask({ headers: stranger })).view).toEqual({ items: [], next: null });
  });

  test('refuses a guest', async () => {
    expect((await ask()).status).toBe(401);
  });

  test.each(['', 'tip', 'ALL', '<b>'])('refuses the kind %j and says which there are', async (kind) => {
    expect((await ask({ headers, query: { kind } })).refusal?.fields).toEqual({
      kind: "kind must be 'all', 'tips' or 'posts'",
    });
  });

  test.each(hostileNumbers)('refuses to leave out %s', async (_, skip) => {
    expect((await ask({ headers, query: { skip } })).status).toBe(400);
  });
});
