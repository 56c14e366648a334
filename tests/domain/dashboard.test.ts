import { sql } from 'kysely';
import { followPortfolio } from '@/lib/accounts/commands/following';
import { guest } from '@/lib/entry/viewer';
import { database } from '@/lib/platform/database';
import { listRunningMemberships } from '@/lib/portfolios/queries/memberships';
import { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
import { publishTip } from '@/lib/tips/commands';
import { tipsAPage } from '@/lib/tips/queries';
import { listFollowedTips } from '@/lib/tips/queries/followed';
import { onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const at = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);

async function publish(shop: Awaited<ReturnType<typeof openShop>>, second: number, more: { hidden?: boolean; free?: boolean } = {}): Promise<string> {
  const leg = await offer(athletic, 'match-result', 'home', 'bet365');
  return (await publishTip(shop.owner, shop.reference, { idempotencyKey: `${shop.reference}-${second}`, legs: [leg], stakeHundredths: 100, ...more }, at(second))).reference;
}

describe('the feed of a member', () => {
  test(
    'has the tips of those who are followed and of nobody else, newest first, what is hidden locked',
    undone(async () => {
      const [ann, cid] = [await openShop('ann', { name: 'Ann football' }, worldNow), await openShop('cid', { name: 'Cid darts' }, worldNow)];
      const bob = await join('bob', worldNow);
      await followPortfolio(bob, ann.reference, undefined, worldNow);
      const first = await publish(ann, 1);
      await publish(cid, 2);
      const last = await publish(ann, 3, { hidden: true });
      const { items, next } = await listFollowedTips(bob, 0, at(4));
      expect(items.map(({ reference, lock, analysis }) => ({ reference, lock, analysis }))).toEqual([
        { reference: last, lock: 'hidden', analysis: null },
        { reference: first, lock: null, analysis: '' },
      ]);
      expect(next).toBeNull();
      expect((await listFollowedTips(ann.owner, 0, at(4))).items).toEqual([]);
    }),
  );

  test(
    'comes page by page, none twice and none left out',
    undone(async () => {
      const ann = await openShop('ann', { name: 'Ann football' }, worldNow);
      const bob = await join('bob', worldNow);
      await followPortfolio(bob, ann.reference, undefined, worldNow);
      const published: string[] = [];
      for (let second = 1; second <= tipsAPage + 3; second += 1) published.unshift(await publish(ann, second));
      const first = await listFollowedTips(bob, 0, at(60));
      expect(first.next).toBe(tipsAPage);
      const second = await listFollowedTips(bob, tipsAPage, at(60));
      expect(second.next).toBeNull();
      expect([...first.items, ...second.items].map(({ reference }) => reference)).toEqual(published);
    }),
  );

  test(
    'never has those of a personal portfolio, and is refused to a guest',
    undone(async () => {
      const ann = await openShop('ann', { name: 'Ann alone', visibility: PortfolioVisibility.personal }, worldNow);
      const bob = await join('bob', worldNow);
      await sql`insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) values (${bob.accountId}, ${ann.id}, 100, ${worldNow})`.execute(database());
      await publish(ann, 1);
      expect((await listFollowedTips(bob, 0, at(2))).items).toEqual([]);
      await expect(listFollowedTips(guest(), 0, at(2))).rejects.toMatchObject({ kind: 'unauthorised' });
    }),
  );
});

test(
  'the memberships of a member are those that run, each portfolio once with its last end',
  undone(async () => {
    const [ann, cid] = [await openShop('ann', { name: 'Ann football', visibility: PortfolioVisibility.premium }, worldNow), await openShop('cid', { name: 'Cid darts' }, worldNow)];
    const bob = await join('bob', worldNow);
    const buy = (id: number, from: number, until: number) =>
      sql`insert into membership (account_id, portfolio_id, starts_at, ends_at) values (${bob.accountId}, ${id}, ${at(from)}, ${at(until)})`.execute(database());
    await buy(ann.id, -50, 100);
    await buy(ann.id, -20, 300);
    await buy(cid.id, -20, 200);
    await buy(cid.id, -90, 0);
    await buy(cid.id, 1, 900);
    expect(await listRunningMemberships(bob, worldNow)).toEqual([
      { portfolioReference: cid.reference, name: 'Cid darts', demo: false, endsAt: at(200).toISOString() },
      { portfolioReference: ann.reference, name: 'Ann football', demo: false, endsAt: at(300).toISOString() },
    ]);
    expect(await listRunningMemberships(ann.owner, worldNow)).toEqual([]);
    await expect(listRunningMemberships(guest(), worldNow)).rejects.toMatchObject({ kind: 'unauthorised' });
  }),
);
