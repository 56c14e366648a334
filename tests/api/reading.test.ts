import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import { followPortfolio } from '@/lib/accounts/commands';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { offer, sellMonthly } from '../support/members';
import { publishPost, publishTip } from '../support/moments';
import { describeCall, doors, request, type Sent } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const logins: Record<string, IssuedSession> = {};
const as = (name: string): Record<string, string> => (name === 'guest' ? {} : bearer(logins[name] ?? { token: '' }));
const ann = { reference: 'ann-football' };
const eve = { reference: 'eve-alone' };
const posts = { open: '', members: '', personal: '' };
let hiddenTip = '';

const secret = 'A *members’* secret.';
const secretHtml = '<p>A <em>members’</em> secret.</p>\n';

// Ann owns it, Mia is a member, Fay follows, Dan owns another, Sam is staff.
beforeAll(async () => {
  standAt(worldNow);
  for (const name of ['ann', 'dan', 'eve', 'mia', 'fay'])
    logins[name] = await logIn(await openAccount(name, {}, worldNow), worldNow);
  logins.newcomer = await logIn(await openAccount('newcomer', { confirmed: false }, worldNow), worldNow);
  logins.sam = await logIn(await openAccount('sam', { role: Role.admin }, worldNow), worldNow, Role.admin);
  const viewer = (name: string) => viewerOf(logins[name] as IssuedSession, worldNow);
  const open = async (owner: string, name: string, visibility: PortfolioVisibility) =>
    createPortfolio(
      await viewer(owner),
      { name, visibility, welcomeMessage: 'Hello, *follower*.', premiumWelcomeMessage: 'Hello, **member** <b>x</b>.' },
      worldNow,
    );
  await sellMonthly((await open('ann', 'Ann Football', PortfolioVisibility.premium)).id, worldNow);
  await open('dan', 'Dan Darts', PortfolioVisibility.public);
  await open('eve', 'Eve alone', PortfolioVisibility.personal);
  await sql`
    insert into membership (account_id, portfolio_id, starts_at, ends_at)
    select account.id, portfolio.id, ${worldNow}::timestamptz, ${worldNow}::timestamptz + interval '1 day' from account, portfolio where username = 'mia' and reference = 'ann-football'
  `.execute(database());
  await followPortfolio(await viewer('fay'), ann.reference, undefined, worldNow);
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  hiddenTip = (
    await publishTip(
      await viewer('ann'),
      ann.reference,
      { idempotencyKey: 'a', legs, stakeHundredths: 100, hidden: true, free: false },
      worldNow,
    )
  ).reference;
  const write = async (
    owner: string,
    reference: string,
    more: { body: string; premiumOnly?: boolean; tips?: string[] },
  ) =>
    (
      await publishPost(
        await viewer(owner),
        reference,
        { idempotencyKey: String(more.body.length), title: 'A title', ...more },
        worldNow,
      )
    ).reference;
  posts.open = await write('ann', ann.reference, { body: 'Open.', tips: [hiddenTip] });
  posts.members = await write('ann', ann.reference, { body: secret, premiumOnly: true, tips: [hiddenTip] });
  posts.personal = await write('eve', eve.reference, { body: 'For myself.' });
});

const readers = ['ann', 'mia', 'sam'];
const others = ['guest', 'fay', 'dan', 'newcomer'];

const read = (path: string, sent: Sent) => {
  const call = doors[path]?.GET;
  if (!call) throw new Error(`There is no call ${path}.`);
  return request(call, path, sent);
};

describe('a members’ post and a post with a hidden tip', () => {
  const one = (name: string, post: string) =>
    read('/portfolio/{reference}/posts/{post}', { params: { ...ann, post }, headers: as(name) });
  const list = (name: string) => read('/portfolio/{reference}/posts', { params: ann, headers: as(name) });

  test.each(readers)('open to %s, the text as markup', async (name) => {
    expect((await one(name, posts.members)).view).toMatchObject({
      lock: null,
      body: secret,
      html: secretHtml,
      tipItems: [{ reference: hiddenTip, lock: null, legs: [{ fixtureName: 'Athletic v Wanderers' }] }],
    });
    expect((await one(name, posts.open)).view).toMatchObject({ tipItems: [{ reference: hiddenTip, lock: null }] });
    expect((await list(name)).view).toMatchObject({
      items: [
        { reference: posts.members, lock: null, excerpt: 'A members’ secret.' },
        { reference: posts.open, tips: [hiddenTip] },
      ],
    });
  });

  test.each(others)('hold their text and hidden tips back from %s, every byte', async (name) => {
    for (const { text, view } of [await one(name, posts.members), await one(name, posts.open), await list(name)]) {
      for (const word of ['secret', hiddenTip, 'Athletic']) expect(text).not.toContain(word);
      expect(view).not.toBeNull();
    }
  });
});

describe('the posts of a personal portfolio', () => {
  const params = { ...eve };

  test.each([
    ['eve', 200],
    ['sam', 200],
    ['guest', 404],
    ['ann', 404],
    ['mia', 404],
    ['newcomer', 404],
  ])('answer %s with %i', async (name, expected) => {
    const headers = as(name);
    expect((await read('/portfolio/{reference}/posts', { params, headers })).status).toBe(expected);
    expect(
      (await read('/portfolio/{reference}/posts/{post}', { params: { ...params, post: posts.personal }, headers }))
        .status,
    ).toBe(expected);
  });
});

describeCall('/user/portfolio/{reference}/posts/{post}', 'GET', (ask) => {
  test('gives its owner the post with its version, all of its tips and what it said before', async () => {
    const { view } = await ask({ params: { ...ann, post: posts.members }, headers: as('ann') });
    expect(view).toMatchObject({ version: 1, body: secret, html: secretHtml, tips: [hiddenTip], earlier: [] });
    const { tipItems } = view as { tipItems: { legs: unknown[]; tipBetItem: unknown[] }[] };
    expect(tipItems.map(({ tipBetItem, legs }) => [tipBetItem.length, legs.length])).toEqual([[1, 1]]);
    expect((await ask({ params: { ...eve, post: posts.personal }, headers: as('eve') })).view).toMatchObject({
      version: 1,
      body: 'For myself.',
    });
  });

  test.each([
    ['guest', 401],
    ['newcomer', 403],
    ['mia', 404],
    ['fay', 404],
    ['dan', 404],
    ['sam', 404],
  ])('answers %s with %i', async (name, expected) => {
    for (const post of [posts.open, posts.members])
      expect((await ask({ params: { ...ann, post }, headers: as(name) })).status).toBe(expected);
  });

  test('finds none in another portfolio, and none that is not there', async () => {
    for (const params of [
      { reference: 'dan-darts', post: posts.open },
      { ...ann, post: 'abcdefghjk' },
    ])
      expect((await ask({ params, headers: as('ann') })).status).toBe(404);
  });
});

describeCall('/portfolio/{reference}/welcome', 'GET', (ask) => {
  const [followers, members] = [
    '<p>Hello, <em>follower</em>.</p>\n',
    '<p>Hello, <strong>member</strong> &lt;b&gt;x&lt;/b&gt;.</p>\n',
  ];

  test.each([
    ['fay', followers, null],
    ['mia', null, members],
    ['ann', null, null],
    ['dan', null, null],
    ['sam', null, null],
    ['newcomer', null, null],
  ])('tells %s what is meant for them', async (name, forFollowers, forMembers) => {
    expect((await ask({ params: ann, headers: as(name) })).view).toEqual({
      portfolioReference: 'ann-football',
      followers: forFollowers,
      members: forMembers,
    });
  });

  test('refuses a guest, and knows no portfolio that the viewer may not see', async () => {
    expect((await ask({ params: ann })).status).toBe(401);
    for (const reference of ['nobody', 'eve-alone'])
      expect((await ask({ params: { reference }, headers: as('fay') })).status).toBe(404);
  });
});
