import { sql } from 'kysely';
import { followPortfolio } from '@/lib/accounts/commands';
import { guest } from '@/lib/http/viewer';
import { listFeed } from '@/lib/notifications/queries';
import { type FeedItem, type FeedKind, feedPageSize } from '@/lib/notifications/schema';
import { database } from '@/lib/platform/database';
import { listMemberships } from '@/lib/memberships/queries';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { publishPost, publishTip } from '../support/moments';
import { worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const at = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);

async function publish(
  shop: Awaited<ReturnType<typeof openShop>>,
  second: number,
  more: { hidden?: boolean; free?: boolean } = {},
): Promise<string> {
  const leg = await offer(athletic, 'match-result', 'home', 'bet365');
  return (
    await publishTip(
      shop.owner,
      shop.reference,
      { idempotencyKey: `${shop.reference}-${second}`, legs: [leg], stakeHundredths: 100, ...more },
      at(second),
    )
  ).reference;
}

function tipIn(item: FeedItem) {
  if (item.kind !== 'tip') throw new Error('A post stands where a tip should.');
  return item.tip;
}

describe('the feed of a member', () => {
  test(
    'has the tips of those who are followed and of nobody else, newest first, what is hidden locked',
    undone(async () => {
      const [ann, cid] = [
        await openShop('ann', { name: 'Ann football' }, worldNow),
        await openShop('cid', { name: 'Cid darts' }, worldNow),
      ];
      const bob = await join('bob', worldNow);
      await followPortfolio(bob, ann.reference, undefined, worldNow);
      const first = await publish(ann, 1);
      await publish(cid, 2);
      const last = await publish(ann, 3, { hidden: true });
      const { items, next } = await listFeed(bob, { kind: 'all', skip: 0 }, at(4));
      expect(items.map(tipIn).map(({ reference, lock, analysis }) => ({ reference, lock, analysis }))).toEqual([
        { reference: last, lock: 'hidden', analysis: null },
        { reference: first, lock: null, analysis: '' },
      ]);
      expect(next).toBeNull();
      expect((await listFeed(ann.owner, { kind: 'all', skip: 0 }, at(4))).items).toEqual([]);
    }),
  );

  test(
    'has posts among the tips in the order of time, each kind alone when asked, and no word of what members pay for',
    undone(async () => {
      const ann = await openShop('ann', { name: 'Ann football', visibility: PortfolioVisibility.premium }, worldNow);
      const bob = await join('bob', worldNow);
      await followPortfolio(bob, ann.reference, undefined, worldNow);
      const tip = await publish(ann, 1);
      const open = (
        await publishPost(
          ann.owner,
          ann.reference,
          { idempotencyKey: 'open', title: 'The week ahead', body: 'Some words.' },
          at(2),
        )
      ).reference;
      const closed = (
        await publishPost(
          ann.owner,
          ann.reference,
          { idempotencyKey: 'closed', title: 'For members', body: 'CANARY', premiumOnly: true },
          at(3),
        )
      ).reference;
      const references = async (kind: FeedKind) =>
        (await listFeed(bob, { kind, skip: 0 }, at(4))).items.map((item) =>
          item.kind === 'tip' ? item.tip.reference : item.post.reference,
        );
      expect(await references('all')).toEqual([closed, open, tip]);
      expect(await references('tips')).toEqual([tip]);
      expect(await references('posts')).toEqual([closed, open]);
      const { items } = await listFeed(bob, { kind: 'posts', skip: 0 }, at(4));
      expect(items).toMatchObject([
        { kind: 'post', post: { lock: 'members', excerpt: null } },
        { kind: 'post', post: { lock: null, excerpt: 'Some words.' } },
      ]);
      expect(JSON.stringify(items)).not.toContain('CANARY');
    }),
  );

  test(
    'comes page by page, none twice and none left out',
    undone(async () => {
      const ann = await openShop('ann', { name: 'Ann football' }, worldNow);
      const bob = await join('bob', worldNow);
      await followPortfolio(bob, ann.reference, undefined, worldNow);
      const published: string[] = [];
      for (let second = 1; second <= feedPageSize + 3; second += 1) published.unshift(await publish(ann, second));
      const first = await listFeed(bob, { kind: 'all', skip: 0 }, at(60));
      expect(first.next).toBe(feedPageSize);
      const second = await listFeed(bob, { kind: 'all', skip: feedPageSize }, at(60));
      expect(second.next).toBeNull();
      expect([...first.items, ...second.items].map((item) => tipIn(item).reference)).toEqual(published);
    }),
  );

  test(
    'never has those of a personal portfolio, and is refused to a guest',
    undone(async () => {
      const ann = await openShop('ann', { name: 'Ann alone', visibility: PortfolioVisibility.personal }, worldNow);
      const bob = await join('bob', worldNow);
      await sql`insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) values (${bob.accountId}, ${ann.id}, 100, ${worldNow})`.execute(
        database(),
      );
      await publish(ann, 1);
      expect((await listFeed(bob, { kind: 'all', skip: 0 }, at(2))).items).toEqual([]);
      await expect(listFeed(guest(), { kind: 'all', skip: 0 }, at(2))).rejects.toMatchObject({ kind: 'unauthorised' });
    }),
  );
});

test(
  'the memberships of a member are those that run, each portfolio once with its last end',
  undone(async () => {
    const [ann, cid] = [
      await openShop('ann', { name: 'Ann football', visibility: PortfolioVisibility.premium }, worldNow),
      await openShop('cid', { name: 'Cid darts' }, worldNow),
    ];
    const bob = await join('bob', worldNow);
    const buy = (id: number, from: number, until: number) =>
      sql`insert into membership (account_id, portfolio_id, starts_at, ends_at) values (${bob.accountId}, ${id}, ${at(from)}, ${at(until)})`.execute(
        database(),
      );
    await buy(ann.id, -50, 100);
    await buy(ann.id, -20, 300);
    await buy(cid.id, -20, 200);
    await buy(cid.id, -90, 0);
    await buy(cid.id, 1, 900);
    const given = { demo: false, state: 'active', reference: null, renewsAt: null, refundMinor: null };
    const { running, past } = await listMemberships(bob, worldNow);
    expect(running).toMatchObject([
      { ...given, portfolioReference: cid.reference, name: 'Cid darts', endsAt: at(200).toISOString() },
      { ...given, portfolioReference: ann.reference, name: 'Ann football', endsAt: at(300).toISOString() },
    ]);
    expect(running).toHaveLength(2);
    expect(past).toMatchObject([{ portfolioReference: cid.reference, state: 'ended' }]);
    expect(await listMemberships(ann.owner, worldNow)).toEqual({ running: [], past: [], receipts: [] });
    await expect(listMemberships(guest(), worldNow)).rejects.toMatchObject({ kind: 'unauthorised' });
  }),
);
