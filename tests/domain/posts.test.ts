import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { guest, member } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import type { PortfolioInput } from '@/lib/portfolios/schema/portfolios';
import * as posts from '@/lib/posts/commands';
import { getPost, listPosts, listPostsWithTips } from '@/lib/posts/queries';
import type { PostInput } from '@/lib/posts/schema';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { asOwner, onOwnConnection, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { editPost, publishPost, publishTip } from '../support/moments';
import { countQueries } from '../support/queries';
import { untilWaiting } from '../support/waiting';
import { worldNow } from '../support/world';

onTestDatabase();

const start = new Date('2026-03-10T20:00:00.000Z');
const minutesLater = (minutes: number) => new Date(worldNow.getTime() + minutes * 60_000);
const post = (more: Partial<PostInput> = {}): PostInput => ({
  idempotencyKey: 'one',
  title: 'The week ahead',
  body: 'Some **words** about it.',
  ...more,
});

const ann = (more: Partial<PortfolioInput> = {}) => openShop('ann', { name: 'Ann Football', ...more }, worldNow);
const annPremium = () => ann({ visibility: PortfolioVisibility.premium });

type Shop = Awaited<ReturnType<typeof ann>>;

async function tipOf({ owner, reference }: Shop, key: 'home' | 'draw' | 'away', more: object = {}): Promise<string> {
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', key, 'bet365')];
  return (await publishTip(owner, reference, { idempotencyKey: key, legs, stakeHundredths: 100, ...more }, worldNow))
    .reference;
}

/** Those who may read what the portfolio's members read. */
async function readersOf({ id, owner }: Shop): Promise<[string, Viewer][]> {
  const bob = await join('bob', worldNow);
  const role = (more: object) =>
    member({ accountId: bob.accountId, role: Role.user, pro: false, owns: [], subscribes: [], ...more });
  return [
    ['owner', owner],
    ['subscriber', role({ subscribes: [id] })],
    ['admin', role({ role: Role.admin })],
    ['super admin', role({ role: Role.superAdmin })],
  ];
}

describe('publishing a post', () => {
  test(
    'puts it into the portfolio for everybody',
    undone(async () => {
      const { owner, reference } = await ann();
      const published = await publishPost(
        owner,
        reference,
        post({ title: '  The   week\nahead ', body: 'Some **words**\r\nabout it.\n' }),
        worldNow,
      );
      const view = await getPost(guest(), reference, published.reference, worldNow);
      expect(view).toEqual({
        reference: published.reference,
        portfolioReference: 'ann-football',
        portfolioName: 'Ann Football',
        title: 'The week ahead',
        publishedAt: worldNow.toISOString(),
        editedAt: null,
        premiumOnly: false,
        lock: null,
        excerpt: 'Some words about it.',
        body: 'Some **words**\nabout it.',
        html: '<p>Some <strong>words</strong>\nabout it.</p>\n',
        tips: [],
        tipItems: [],
        demo: false,
      });
    }),
  );

  test(
    'publishes once for one idempotency key, and refuses the key for another post',
    undone(async () => {
      const { owner, reference } = await ann();
      const first = await publishPost(owner, reference, post(), worldNow);
      expect(await publishPost(owner, reference, post(), minutesLater(1))).toEqual(first);
      expect(await publishPost(owner, reference, post({ idempotencyKey: 'two' }), minutesLater(1))).toMatchObject({
        publishedAt: minutesLater(1).toISOString(),
      });
      await expect(publishPost(owner, reference, post({ title: 'Another' }), worldNow)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('new key'),
      });
      const { rows } = await sql`select count(*)::int as posts from post`.execute(database());
      expect(rows).toEqual([{ posts: 2 }]);
    }),
  );

  test(
    'lets two portfolios use one key',
    undone(async () => {
      const shops = [await ann(), await openShop('dan', { name: 'Dan Darts' }, worldNow)];
      const references = await Promise.all(
        shops.map(async ({ owner, reference }) => (await publishPost(owner, reference, post(), worldNow)).reference),
      );
      expect(new Set(references).size).toBe(2);
    }),
  );

  test(
    'is refused to everybody but the owner',
    undone(async () => {
      const shop = await ann();
      const dan = await openShop('dan', { name: 'Dan Darts' }, worldNow);
      const others = (await readersOf(shop)).filter(([name]) => name !== 'owner').map(([, viewer]) => viewer);
      for (const viewer of [guest(), dan.owner, ...others]) {
        await expect(publishPost(viewer, shop.reference, post(), worldNow)).rejects.toMatchObject({
          kind: 'forbidden',
        });
      }
      await expect(publishPost(shop.owner, 'nobody', post(), worldNow)).rejects.toMatchObject({ kind: 'missing' });
      await sql`update portfolio set abandoned_at = ${worldNow} where id = ${shop.id}`.execute(database());
      await expect(publishPost(shop.owner, shop.reference, post(), worldNow)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('closed'),
      });
    }),
  );

  test(
    'takes tips of its own portfolio alone, and stores nothing when one is not',
    undone(async () => {
      const shop = await ann();
      const dan = await openShop('dan', { name: 'Dan Darts' }, worldNow);
      const [own, other] = [await tipOf(shop, 'home'), await tipOf(dan, 'draw')];
      for (const tip of [other, 'abcdefghjk']) {
        await expect(
          publishPost(shop.owner, shop.reference, post({ tips: [own, tip] }), worldNow),
        ).rejects.toMatchObject({ kind: 'invalid', fields: { tips: expect.stringContaining(tip) } });
      }
      const { rows } = await sql`select count(*)::int as posts from post`.execute(database());
      expect(rows).toEqual([{ posts: 0 }]);
    }),
  );

  test(
    'for members is refused where there can be none',
    undone(async () => {
      const { owner, reference } = await ann();
      await expect(publishPost(owner, reference, post({ premiumOnly: true }), worldNow)).rejects.toMatchObject({
        kind: 'invalid',
        fields: { premiumOnly: expect.any(String) },
      });
    }),
  );

  test.each<[string, Partial<PostInput>]>([
    ['a title of two characters', { title: ' ab ' }],
    ['a title of 121', { title: 'a'.repeat(121) }],
    ['a title with a control character', { title: 'The\u0000 week' }],
    ['no text', { body: ' \n ' }],
    ['a text of 20,001', { body: 'a'.repeat(20_001) }],
    ['a text with a NUL', { body: 'a\u0000b' }],
    ['13 tips', { tips: [...'abcdefghjkmnp'].map((letter) => letter.repeat(10)) }],
    ['a tip twice', { tips: ['abcdefghjk', 'abcdefghjk'] }],
    ['a tip that is none', { tips: ["x'; drop --"] }],
    ['an empty key', { idempotencyKey: '' }],
  ])('is refused with %s', (_, more) =>
    undone(async () => {
      const { owner, reference } = await ann();
      await expect(publishPost(owner, reference, post(more), worldNow)).rejects.toMatchObject({
        issues: expect.arrayContaining([
          expect.objectContaining({ path: expect.arrayContaining([Object.keys(more)[0]]) }),
        ]),
      });
    })(),
  );

  test(
    'takes the longest title and text, in letters of any script',
    undone(async () => {
      const { owner, reference } = await ann();
      const [title, body] = ['😀'.repeat(120), '字'.repeat(20_000)];
      const published = await publishPost(owner, reference, post({ title, body }), worldNow);
      expect(await getPost(guest(), reference, published.reference, worldNow)).toMatchObject({ title, body });
    }),
  );
});

describe('a post for members', () => {
  const secret = 'Back Athletic before the news is out.';

  test(
    'gives a guest and a stranger its title and nothing else',
    undone(async () => {
      const shop = await annPremium();
      const tip = await tipOf(shop, 'home', { free: false });
      const { reference } = await publishPost(
        shop.owner,
        shop.reference,
        post({ body: secret, premiumOnly: true, tips: [tip] }),
        worldNow,
      );
      for (const viewer of [guest(), await join('carol', worldNow)]) {
        for (const at of [worldNow, minutesLater(1_000)]) {
          const view = await getPost(viewer, shop.reference, reference, at);
          expect(view).toMatchObject({
            title: 'The week ahead',
            lock: 'members',
            body: null,
            excerpt: null,
            tips: [],
            tipItems: [],
          });
          const list = await listPosts(viewer, shop.reference, { skip: 0 }, at);
          expect(list).toMatchObject({ items: [{ reference, lock: 'members', excerpt: null, tips: [] }], next: null });
          expect(JSON.stringify([view, list])).not.toMatch(/Athletic|news|Back/);
        }
      }
    }),
  );

  test(
    'gives members, staff and the owner all of it',
    undone(async () => {
      const shop = await annPremium();
      const tip = await tipOf(shop, 'home', { free: false, hidden: true });
      const { reference } = await publishPost(
        shop.owner,
        shop.reference,
        post({ body: secret, premiumOnly: true, tips: [tip] }),
        worldNow,
      );
      for (const [, viewer] of await readersOf(shop)) {
        expect(await getPost(viewer, shop.reference, reference, worldNow)).toMatchObject({
          lock: null,
          body: secret,
          excerpt: secret,
          tips: [tip],
          tipItems: [{ reference: tip, lock: null, legs: [{}] }],
        });
      }
    }),
  );
});

describe('the tips of a post for everybody', () => {
  test(
    'are absent while they are hidden and not free, and there from the start on',
    undone(async () => {
      const shop = await annPremium();
      const tips = [
        await tipOf(shop, 'home'),
        await tipOf(shop, 'draw', { hidden: true, free: false }),
        await tipOf(shop, 'away', { hidden: true, free: true }),
      ];
      const { reference } = await publishPost(shop.owner, shop.reference, post({ tips: tips.toReversed() }), worldNow);
      const [open, hidden, free] = tips;
      const read = (viewer: Viewer, at: Date) => getPost(viewer, shop.reference, reference, at);
      const early = new Date(start.getTime() - 1);
      expect(await read(guest(), early)).toMatchObject({
        tips: [free, open],
        tipItems: [
          { reference: free, lock: 'hidden', legs: [] },
          { reference: open, lock: null },
        ],
      });
      expect(JSON.stringify(await read(guest(), early))).not.toContain(hidden);
      expect((await listPosts(guest(), shop.reference, { skip: 0 }, early)).items[0]?.tips).toEqual([free, open]);
      expect(await read(guest(), start)).toMatchObject({
        tips: [free, hidden, open],
        tipItems: [{ lock: null }, { lock: null }, { lock: null }],
      });
      for (const [, viewer] of await readersOf(shop))
        expect((await read(viewer, worldNow)).tips).toEqual([free, hidden, open]);
    }),
  );
});

describe('the posts of a portfolio', () => {
  test(
    'are listed newest first, a page at a time',
    undone(async () => {
      const { owner, reference } = await ann();
      for (const minutes of [0, 1, 2, 3, 4])
        await publishPost(
          owner,
          reference,
          post({ idempotencyKey: `key-${minutes}`, title: `Post ${minutes}` }),
          minutesLater(minutes),
        );
      const page = async (skip: number) => {
        const { items, next } = await listPosts(guest(), reference, { skip, limit: 2 }, worldNow);
        return [items.map(({ title }) => title), next];
      };
      expect([await page(0), await page(2), await page(4), await page(5)]).toEqual([
        [['Post 4', 'Post 3'], 2],
        [['Post 2', 'Post 1'], 4],
        [['Post 0'], null],
        [[], null],
      ]);
    }),
  );

  test(
    'have their tips as each by itself has, in as many questions however many there are',
    undone(async () => {
      const shop = await annPremium();
      const [open, hidden] = [
        await tipOf(shop, 'home'),
        await tipOf(shop, 'draw', { hidden: true, free: false }),
      ] as const;
      const publish = (minutes: number, more: Partial<PostInput>) =>
        publishPost(
          shop.owner,
          shop.reference,
          post({ idempotencyKey: `key-${minutes}`, ...more }),
          minutesLater(minutes),
        );
      const questions = () =>
        countQueries(() => listPostsWithTips(shop.owner, shop.reference, { skip: 0 }, minutesLater(9)));
      await publish(0, { tips: [open] });
      const forOne = await questions();
      await publish(1, { tips: [hidden, open] });
      await publish(2, { premiumOnly: true, tips: [open, hidden] });
      await publish(3, {});
      expect(await questions()).toBe(forOne);
      for (const viewer of [guest(), shop.owner])
        for (const at of [minutesLater(9), start]) {
          const { items, next } = await listPostsWithTips(viewer, shop.reference, { skip: 0 }, at);
          const each = await Promise.all(items.map(({ reference }) => getPost(viewer, shop.reference, reference, at)));
          expect(next).toBeNull();
          expect(items.map(({ tipItems }) => tipItems)).toEqual(each.map(({ tipItems }) => tipItems));
          const isWhole = viewer === shop.owner;
          expect(items.map(({ tips }) => tips.length)).toEqual(
            isWhole ? [0, 2, 2, 1] : at === start ? [0, 0, 2, 1] : [0, 0, 1, 1],
          );
        }
    }),
  );

  test(
    'are nobody else’s while the portfolio is personal',
    undone(async () => {
      const { owner, reference } = await ann({ visibility: PortfolioVisibility.personal });
      const published = await publishPost(owner, reference, post(), worldNow);
      await expect(getPost(guest(), reference, published.reference, worldNow)).rejects.toMatchObject({
        kind: 'missing',
      });
      await expect(listPosts(guest(), reference, { skip: 0 }, worldNow)).rejects.toMatchObject({ kind: 'missing' });
      expect(await getPost(owner, reference, published.reference, worldNow)).toMatchObject({
        body: 'Some **words** about it.',
      });
    }),
  );

  test('are judged and dated by what their portfolio is once nobody else changes it', async () => {
    const shop = await openShop('eve', { name: 'Eve Racing', visibility: PortfolioVisibility.premium }, worldNow);
    const { reference } = await publishPost(shop.owner, shop.reference, post(), worldNow);
    const edit = { version: 1, title: 'The week ahead', body: 'For members.', premiumOnly: true };
    const publish = (more: Partial<PostInput>) => posts.publishPost(shop.owner, shop.reference, post(more));
    const [forMembers, changed, forAll, from] = await onOwnConnection(async (other) => {
      await other.query('begin');
      await other.query('select from portfolio where id = $1 for update', [shop.id]);
      const asked = Promise.allSettled([
        publish({ idempotencyKey: 'members', premiumOnly: true }),
        editPost(
          shop.owner,
          { portfolioReference: shop.reference, reference, input: edit, key: 'edit' },
          minutesLater(1),
        ),
        publish({ idempotencyKey: 'all' }),
      ]);
      await untilWaiting(3);
      await other.query('update plan set on_sale = false where portfolio_id = $1', [shop.id]);
      const { rows } = await other.query('select clock_timestamp() as at');
      await other.query('commit');
      return [...(await asked), rows[0].at as Date] as const;
    });
    for (const refused of [forMembers, changed])
      expect(refused).toMatchObject({ status: 'rejected', reason: { kind: 'invalid' } });
    const published = forAll.status === 'fulfilled' ? new Date(forAll.value.publishedAt).getTime() : 0;
    expect(published).toBeGreaterThanOrEqual(Math.floor(from.getTime()));
  });

  test('are kept for guests, never for members, and forgotten when one is published', async () => {
    const shop = await annPremium();
    const list = async (viewer: Viewer) =>
      (await listPosts(viewer, shop.reference, { skip: 0 }, worldNow)).items.map(({ title, excerpt }) => [
        title,
        excerpt,
      ]);
    await publishPost(shop.owner, shop.reference, post({ premiumOnly: true }), worldNow);
    expect(await list(shop.owner)).toEqual([['The week ahead', 'Some words about it.']]);
    expect(await list(guest())).toEqual([['The week ahead', null]]);
    await asOwner(sql`update post set title = 'Changed behind the cache'`, { unguarded: 'post' });
    expect([await list(guest()), await list(shop.owner)]).toEqual([
      [['The week ahead', null]],
      [['Changed behind the cache', 'Some words about it.']],
    ]);
    await publishPost(
      shop.owner,
      shop.reference,
      post({ idempotencyKey: 'two', title: 'The second' }),
      minutesLater(1),
    );
    expect(await list(guest())).toEqual([
      ['The second', 'Some words about it.'],
      ['Changed behind the cache', null],
    ]);
  });
});
