import type { Call } from '@/lib/api/handle';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { PostView } from '@/lib/posts/schema';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishPost, publishTip } from '../support/moments';
import { type Ask, describeCall, doors, hostileNumbers, hostileTexts, request, type Sent } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const reference = 'ann-football';
const start = new Date('2026-03-10T20:00:00.000Z');
const posts = { open: '', members: '', danger: '', others: '' };
const tips = { open: '', hidden: '' };

const secret = 'Nobody without a membership may read this.';
const danger = '<script>alert(1)</script> [x](javascript:alert(1))';

beforeAll(async () => {
  standAt(worldNow);
  const { owner } = await openShop('ann', { name: 'Ann Football', visibility: PortfolioVisibility.premium }, worldNow);
  const dan = await openShop('dan', { name: 'Dan Darts' }, worldNow);
  await openShop('eve', { name: 'Eve alone', visibility: PortfolioVisibility.personal }, worldNow);
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  const tip = async (idempotencyKey: string, more: object) =>
    (await publishTip(owner, reference, { idempotencyKey, legs, stakeHundredths: 100, ...more }, worldNow)).reference;
  tips.open = await tip('a', {});
  tips.hidden = await tip('b', { hidden: true, free: false });
  const publish = async (minute: number, more: { body: string; premiumOnly?: boolean; tips?: string[] }) =>
    (
      await publishPost(
        owner,
        reference,
        { idempotencyKey: String(minute), title: `Post ${minute}`, ...more },
        new Date(worldNow.getTime() - minute * 60_000),
      )
    ).reference;
  posts.open = await publish(1, { body: '# Before the match\n\nOne *fair* price.', tips: [tips.hidden, tips.open] });
  posts.members = await publish(2, { body: secret, premiumOnly: true, tips: [tips.open, tips.hidden] });
  posts.danger = await publish(3, { body: danger });
  posts.others = (
    await publishPost(dan.owner, 'dan-darts', { idempotencyKey: 'a', title: 'Darts', body: 'Darts.' }, worldNow)
  ).reference;
});

const postPath = '/portfolio/{reference}/posts/{post}';
const onePost = (sent: Sent) => request(doors[postPath]?.GET as Call, postPath, sent);

function isAboutAPortfolio(ask: Ask, more: Record<string, string> = {}): void {
  test.each(['nobody', 'eve-alone'])('says that %s is missing', async (name) => {
    const { status, refusal } = await ask({ params: { reference: name, ...more } });
    expect([status, refusal?.message]).toEqual([
      404,
      'Not Found. There is no such portfolio. Find one in the list of tipsters.',
    ]);
  });

  test.each(hostileTexts.filter(([, text]) => text !== ''))('refuses %s as a portfolio', async (_, text) => {
    expect([400, 404]).toContain((await ask({ params: { reference: text, ...more } })).status);
  });
}

describeCall('/portfolio/{reference}/posts', 'GET', (ask) => {
  isAboutAPortfolio(ask);

  test('lists the posts newest first, with what a guest may read of each', async () => {
    const { view, text } = await ask({ params: { reference } });
    expect(view).toMatchObject({
      items: [
        { reference: posts.open, lock: null, excerpt: 'One fair price.', tips: [tips.open] },
        { reference: posts.members, lock: 'members', premiumOnly: true, title: 'Post 2', excerpt: null, tips: [] },
        { reference: posts.danger, lock: null },
      ],
      next: null,
    });
    expect(text).not.toContain('membership may read');
    expect(text).not.toContain(tips.hidden);
  });

  test('gives each post the tips that the post by itself has, and a guest none of a members’ post', async () => {
    for (const moment of [worldNow, start]) {
      standAt(moment);
      const { items } = (await ask({ params: { reference } })).view as { items: PostView[] };
      expect(items.map(({ tipItems }) => tipItems.length)).toEqual([moment === start ? 2 : 1, 0, 0]);
      for (const { reference: post, tips: named, tipItems } of items) {
        const single = await onePost({ params: { reference, post } });
        expect(tipItems.map((tip) => tip.reference)).toEqual(named);
        expect(tipItems).toEqual((single.view as PostView).tipItems);
      }
    }
    standAt(worldNow);
  });

  test('leaves out what is skipped', async () => {
    expect((await ask({ params: { reference }, query: { skip: '2' } })).view).toMatchObject({
      items: [{ reference: posts.danger }],
      next: null,
    });
    expect((await ask({ params: { reference }, query: { skip: '3' } })).view).toEqual({ items: [], next: null });
  });

  test.each(hostileNumbers)('refuses %s as a number to skip', async (_, skip) => {
    const { status, refusal } = await ask({ params: { reference }, query: { skip } });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['skip']]);
  });

  test('refuses two numbers to skip', async () => {
    expect((await ask({ params: { reference }, query: { skip: ['1', '2'] } })).status).toBe(400);
  });
});

function isOnePost(ask: Ask): void {
  isAboutAPortfolio(ask, { post: 'abcdefghjk' });

  test('gives a post with its text as it was written and the tips that are not hidden', async () => {
    const { view, text } = await ask({ params: { reference, post: posts.open } });
    expect(view).toMatchObject({
      title: 'Post 1',
      body: '# Before the match\n\nOne *fair* price.',
      lock: null,
      tips: [tips.open],
      tipItems: [{ reference: tips.open, lock: null, legs: [{ fixtureName: 'Athletic v Wanderers' }] }],
    });
    expect(text).not.toContain(tips.hidden);
  });

  test('gives the hidden tip too once it has started, although the post is kept', async () => {
    standAt(start);
    const { view } = await ask({ params: { reference, post: posts.open } });
    standAt(worldNow);
    expect(view).toMatchObject({
      tips: [tips.hidden, tips.open],
      tipItems: [{ reference: tips.hidden, lock: null }, { reference: tips.open }],
    });
  });

  test.each([
    ['before', worldNow],
    ['after', start],
  ])('gives a guest the title of a members’ post and no byte of its text or tips, %s the start', async (_, moment) => {
    standAt(moment);
    const { view, text, headers } = await ask({ params: { reference, post: posts.members } });
    standAt(worldNow);
    expect(view).toMatchObject({ title: 'Post 2', lock: 'members', body: null, excerpt: null, tips: [], tipItems: [] });
    const everything = text + [...headers].flat().join();
    expect(view).toMatchObject({ html: null });
    for (const word of ['membership', 'may read', tips.open, tips.hidden, 'Athletic'])
      expect(everything).not.toContain(word);
  });

  test('gives hostile Markdown as the text that it is', async () => {
    const { view } = await ask({ params: { reference, post: posts.danger } });
    expect(view).toMatchObject({
      body: danger,
      html: '<p>&lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:alert(1))</p>\n',
    });
  });

  test('says that an unknown post, and one of another portfolio, is missing', async () => {
    for (const post of ['abcdefghjk', posts.others]) {
      const { status, refusal } = await ask({ params: { reference, post } });
      expect([status, refusal?.message]).toEqual([
        404,
        'Not Found. There is no such post in this portfolio. Find it in the list of its posts.',
      ]);
    }
  });

  test.each([...hostileTexts, ['the page of a new post', 'add-post'] as const])(
    'refuses %s as a post',
    async (_, post) => {
      const { status, refusal } = await ask({ params: { reference, post } });
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['post']]);
    },
  );
}

describeCall('/portfolio/{reference}/posts/{post}', 'GET', isOnePost);
describeCall('/portfolio/{reference}/posts/cached/{post}', 'GET', isOnePost);
