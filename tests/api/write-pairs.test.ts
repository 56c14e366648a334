import type { Method } from '@/lib/calls';
import { sql } from 'kysely';
import sharp from 'sharp';
import type { IssuedSession } from '@/lib/accounts/schema';
import { database } from '@/lib/platform/database';
import { bearer, logIn, openAccount } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { type Answer, doors, request, type Sent } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();
jest.setTimeout(240_000);

/** Somebody with a portfolio, a post in it and a bet, whose calls come from an address of their own. */
type Writer = {
  accountId: number;
  login: IssuedSession;
  address: string;
  portfolio: string;
  post: string;
  bet: string;
};

/** A call that writes: its method and path, and what a writer sends by it. */
type Write = { method: Method; path: string; sent: (writer: Writer) => Sent };

let leg: Awaited<ReturnType<typeof offer>>;
let picture: Uint8Array;

const entry = '/user/following/{reference}';
const ownPortfolio = ({ portfolio }: Writer) => ({ reference: portfolio });
const bet = () => ({
  legs: [{ ...leg, oddsThousandths: undefined, price: { oddsThousandths: leg.oddsThousandths, fraction: null } }],
  stakeMinor: 100,
});
const followed = { reference: 'shop' };

const writes: Record<string, Write> = {
  settings: { method: 'PUT', path: '/user', sent: () => ({ body: { maxStake: 4 } }) },
  picture: { method: 'POST', path: '/user/images', sent: () => ({ body: picture }) },
  follow: { method: 'POST', path: entry, sent: () => ({ params: followed, body: { maxStake: 5 } }) },
  'follow stake': { method: 'PUT', path: entry, sent: () => ({ params: followed, body: { maxStake: 6 } }) },
  unfollow: { method: 'DELETE', path: entry, sent: () => ({ params: followed }) },
  bet: { method: 'POST', path: '/user/bets', sent: () => ({ body: bet() }) },
  'bet removed': {
    method: 'DELETE',
    path: '/user/bets/{reference}',
    sent: ({ bet: reference }) => ({ params: { reference } }),
  },
  portfolio: {
    method: 'POST',
    path: '/user/portfolio',
    sent: ({ accountId }) => ({ body: { name: `Another of ${accountId}`, visibility: 0 } }),
  },
  'portfolio changed': {
    method: 'PUT',
    path: '/user/portfolio',
    sent: (writer) => ({ body: { ...ownPortfolio(writer), description: 'Another description.' } }),
  },
  post: {
    method: 'POST',
    path: '/user/portfolio/{reference}/posts/add-post',
    sent: (writer) => ({ params: ownPortfolio(writer), body: { title: 'Another', body: 'Another text.' } }),
  },
  'post edited': {
    method: 'PUT',
    path: '/user/portfolio/{reference}/posts/{post}',
    sent: (writer) => ({
      params: { ...ownPortfolio(writer), post: writer.post },
      body: { version: 1, title: 'Edited', body: 'Another text.' },
    }),
  },
  tip: {
    method: 'POST',
    path: '/user/portfolio/{reference}/tips/add-tip',
    sent: (writer) => ({ params: ownPortfolio(writer), body: { legs: [leg], stakeHundredths: 100 } }),
  },
  abandon: {
    method: 'POST',
    path: '/user/portfolio/{reference}/abandon',
    sent: (writer) => ({ params: ownPortfolio(writer) }),
  },
  refresh: {
    method: 'POST',
    path: '/auth/refresh-token',
    sent: ({ login }) => ({ body: { accessToken: login.token, refreshToken: login.refreshToken } }),
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    sent: ({ login }) => ({ body: { accessToken: login.token, refreshToken: login.refreshToken } }),
  },
  'sign out everywhere': { method: 'DELETE', path: '/user/sessions', sent: () => ({}) },
  'account deleted': { method: 'DELETE', path: '/account/delete', sent: () => ({}) },
};
const names = Object.keys(writes);

/** What a write makes, each time that it is done: the rows of its account. */
const madeBy = (accountId: number) => ({
  bet: sql<{ count: number }>`select count(*)::int as count from bet where account_id = ${accountId}`,
  portfolio: sql<{ count: number }>`select count(*)::int as count from portfolio where owner_id = ${accountId}`,
  post: sql<{
    count: number;
  }>`select count(*)::int as count from post join portfolio on portfolio.id = portfolio_id where owner_id = ${accountId}`,
  tip: sql<{
    count: number;
  }>`select count(*)::int as count from tip join portfolio on portfolio.id = portfolio_id where owner_id = ${accountId}`,
});

beforeAll(async () => {
  standAt(worldNow);
  leg = await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365');
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#264' } })
    .png()
    .toBuffer();
  await openShop('shop-owner', { name: 'Shop' }, worldNow);
});

async function send(name: string, writer: Writer, key: string): Promise<Answer> {
  const { method, path, sent } = writes[name] as Write;
  const call = doors[path]?.[method];
  if (!call) throw new Error(`There is no call ${method} ${path}.`);
  const given = sent(writer);
  return request(
    call,
    path,
    { ...given, headers: { ...bearer(writer.login), 'x-tipledger-address': writer.address, 'idempotency-key': key } },
    method,
  );
}

let writers = 0;

async function newWriter(): Promise<Writer> {
  writers += 1;
  const accountId = await openAccount(`writer-${writers}`, {}, worldNow);
  const address = `2001:db8:${writers.toString(16)}::1`;
  const writer: Writer = {
    accountId,
    login: await logIn(accountId, worldNow),
    address,
    portfolio: '',
    post: '',
    bet: '',
  };
  const made = async (name: string) => {
    const { status, view, text } = await send(name, writer, 'made-before');
    if (status !== 201) throw new Error(`${name}: ${status} ${text}`);
    return (view as { reference: string }).reference;
  };
  writer.portfolio = await made('portfolio');
  writer.post = await made('post');
  writer.bet = await made('bet');
  return writer;
}

const atOnce = 3;
const slowest = 8_000;

/** Sends both calls so many times at once and says what was wrong with any of the answers. */
async function race(first: string, second: string): Promise<string[]> {
  const writer = await newWriter();
  const began = performance.now();
  const both = Array.from({ length: atOnce }, (_, index) => [
    send(first, writer, `first-${index}`),
    send(second, writer, `second-${index}`),
  ]).flat();
  const answers = await Promise.all(both);
  const milliseconds = performance.now() - began;
  const wrong = answers
    .filter(({ status }) => status >= 500)
    .map(({ status, text }) => `${first} + ${second}: ${status} ${text}`);
  if (await isAnythingLeft(writer)) wrong.push(`${first} + ${second}: something is left of the deleted account`);
  return milliseconds > slowest ? [...wrong, `${first} + ${second}: ${Math.round(milliseconds)} ms`] : wrong;
}

/** True where the account was deleted and something that would be done for it is there all the same. */
async function isAnythingLeft({ accountId }: Writer): Promise<boolean> {
  const ofAccount = ['bet', 'follow', 'picture_upload', 'session', 'named_write'].map(
    (table) => sql`exists (select from ${sql.table(table)} own where own.account_id = account.id)`,
  );
  const { rows } = await sql`
    select from account where id = ${accountId} and deleted_at is not null
      and (exists (select from portfolio where owner_id = account.id and abandoned_at is null) or ${sql.join(ofAccount, sql` or `)})
  `.execute(database());
  return rows.length > 0;
}

test('any two writes of an account at once end soon, neither fails for the other, and nothing is done for one that was deleted', async () => {
  const wrong: string[] = [];
  for (const [index, first] of names.entries()) {
    for (const [other, second] of names.entries()) if (other >= index) wrong.push(...(await race(first, second)));
  }
  expect(wrong).toEqual([]);
});

test.each([
  'settings',
  'follow',
  'follow stake',
  'unfollow',
  'bet',
  'portfolio',
  'portfolio changed',
  'post',
  'post edited',
  'tip',
  'abandon',
])('%s with one key at once is done once, and all are given its answer', async (name) => {
  const writer = await newWriter();
  if (name === 'follow stake' || name === 'unfollow') expect((await send('follow', writer, 'before')).status).toBe(200);
  const count = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(madeBy(writer.accountId)).map(
          async ([kind, query]) => [kind, (await query.execute(database())).rows[0]?.count ?? 0] as const,
        ),
      ),
    );
  const before = await count();
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(name, writer, 'the-same')));
  expect(answers[0]?.status).toBeLessThan(300);
  for (const { status, view } of answers) expect([status, view]).toEqual([answers[0]?.status, answers[0]?.view]);
  const after = await count();
  expect(after).toEqual({ ...before, ...(name in before && { [name]: (before[name] ?? 0) + 1 }) });
});
