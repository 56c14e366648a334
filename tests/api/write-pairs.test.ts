import { sql } from 'kysely';
import sharp from 'sharp';
import { setProPart } from '@/lib/memberships/commands';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { type AccountGiven, bearer, logIn, openAccount } from '../support/accounts';
import { type Surroundings, type Write, writeGroups, type Writer } from '../support/account-writes';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { type HookReceiver, startReceiver } from '../support/hook-receiver';
import { offer, openShop } from '../support/members';
import { startPushService } from '../support/push-service';
import { type Answer, doors, request } from '../support/request';
import { openMonthly } from '../support/sales';
import { startTelegram, type TelegramServer } from '../support/telegram-server';
import { worldNow } from '../support/world';

onTestDatabase();
jest.setTimeout(240_000);

let leg: Awaited<ReturnType<typeof offer>>;
let picture: Uint8Array;
let around: Surroundings;
let receiver: HookReceiver;
let telegram: TelegramServer;

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
const groups = writeGroups(() => around);
const allWrites: Record<string, Write> = Object.assign(
  {},
  writes,
  ...Object.values(groups).map((group) => group.writes),
);

/** The writes of a member that are not raced, with the reason of each. */
const leftOut: Record<string, string> = {
  'POST /user/preview': 'keeps nothing: it answers with the text that it was given, as markup',
};

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
  const push = await startPushService();
  receiver = await startReceiver();
  telegram = await startTelegram();
  process.env.TIPLEDGER_OUTGOING_PRIVATE = `${push.origin.replace('http://', '')} ${receiver.host}`;
  process.env.TIPLEDGER_TELEGRAM_URL = telegram.url;
  process.env.TIPLEDGER_TELEGRAM_TOKEN = telegram.token;
  const seller = (name: string) =>
    decidedAt(worldNow, async () => {
      const { owner, reference } = await openMonthly({ owner: name, portfolio: `Tips of ${name}` }, 2_000, worldNow);
      await setProPart(owner, reference, true, name, worldNow);
      return reference;
    });
  around = {
    sold: [await seller('seller'), await seller('other-seller')],
    tipster: 'shop',
    fixture: 'athletic-v-wanderers-2026-03-10',
    push,
    webhook: receiver.address,
  };
});

afterAll(async () => {
  for (const name of ['OUTGOING_PRIVATE', 'TELEGRAM_URL', 'TELEGRAM_TOKEN']) delete process.env[`TIPLEDGER_${name}`];
  await Promise.all([around.push.close(), receiver.close(), telegram.close()]);
});

const send = (name: string, writer: Writer, key: string): Promise<Answer> =>
  sendCall(allWrites[name] as Write, writer, key);

async function sendCall({ method, path, sent }: Write, writer: Writer, key: string): Promise<Answer> {
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
let made = 0;

async function newWriter(account: AccountGiven = {}): Promise<Writer> {
  writers += 1;
  const accountId = await openAccount(`writer-${writers}`, account, worldNow);
  const address = `2001:db8:${writers.toString(16)}::1`;
  const writer: Writer = {
    accountId,
    login: await logIn(accountId, worldNow),
    address,
    portfolio: '',
    post: '',
    bet: '',
    own: {},
  };
  const make = async (name: string) =>
    ((await done(allWrites[name] as Write, writer)) as { reference: string }).reference;
  writer.portfolio = await make('portfolio');
  writer.post = await make('post');
  writer.bet = await make('bet');
  return writer;
}

async function done(call: Write, writer: Writer): Promise<unknown> {
  const { status, view, text } = await sendCall(call, writer, `made-${(made += 1)}`);
  if (status >= 300) throw new Error(`${call.method} ${call.path}: ${status} ${text}`);
  return view;
}

async function writerOf(name: string): Promise<Writer> {
  const { account, before } = groups[name] as (typeof groups)[string];
  const writer = await newWriter(account);
  await before?.(writer, (call) => done(call, writer));
  return writer;
}

const atOnce = 3;
const slowest = 8_000;

/** Sends all of these so many times at once and says what was wrong with any of the answers. */
async function race(raced: readonly string[], writer: Writer, times = atOnce): Promise<string[]> {
  const name = raced.join(' + ');
  const began = performance.now();
  const sent = Array.from({ length: times }, (_, index) =>
    raced.map((each, place) => send(each, writer, `${place}-${index}`)),
  );
  const answers = await Promise.all(sent.flat());
  const milliseconds = performance.now() - began;
  const wrong = answers.filter(({ status }) => status >= 500).map(({ status, text }) => `${name}: ${status} ${text}`);
  if (await isAnythingLeft(writer)) wrong.push(`${name}: something is left of the deleted account`);
  return milliseconds > slowest ? [...wrong, `${name}: ${Math.round(milliseconds)} ms`] : wrong;
}

/** True where the account was deleted and something that would be done for it is there all the same. */
async function isAnythingLeft({ accountId }: Writer): Promise<boolean> {
  const ofAccount = [
    ...['bet', 'follow', 'picture_upload', 'session', 'named_write', 'autobet_rule', 'delivery', 'fixture_watch'],
    ...['monthly_payout', 'news_choice', 'push_subscription', 'telegram_code', 'telegram_link'],
  ].map((table) => sql`exists (select from ${sql.table(table)} own where own.account_id = account.id)`);
  const { rows } = await sql`
    select from account where id = ${accountId} and deleted_at is not null
      and (exists (select from portfolio left join webhook on webhook.portfolio_id = portfolio.id where owner_id = account.id and (abandoned_at is null or webhook.portfolio_id is not null)) or ${sql.join(ofAccount, sql` or `)})
  `.execute(database());
  return rows.length > 0;
}

test('any two writes of an account at once end soon, neither fails for the other, and nothing is done for one that was deleted', async () => {
  const wrong: string[] = [];
  for (const [index, first] of names.entries()) {
    for (const [other, second] of names.entries())
      if (other >= index) wrong.push(...(await race([first, second], await newWriter())));
  }
  expect(wrong).toEqual([]);
});

test('every call by which a member writes is raced, or left out with its reason', () => {
  const raced = new Set(Object.values(allWrites).map(({ method, path }) => `${method} ${path}`));
  const open = Object.entries(doors).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, call]) =>
      method !== 'GET' && ['member', 'confirmed'].includes(call?.declaration?.access ?? '')
        ? [`${method} ${path}`]
        : [],
    ),
  );
  expect(open.filter((call) => !raced.has(call)).sort()).toEqual(Object.keys(leftOut).sort());
});

test.each(Object.keys(groups))('%s: each is done where it comes alone', async (name) => {
  const { writes: grouped, refused = [] } = groups[name] as (typeof groups)[string];
  const writer = await writerOf(name);
  const answers: [string, number][] = [];
  for (const [index, each] of Object.keys(grouped).entries())
    answers.push([each, (await send(each, writer, `alone-${index}`)).status]);
  expect(answers.filter(([each, status]) => status >= 300 !== refused.includes(each))).toEqual([]);
});

test.each(Object.keys(groups))(
  '%s: all at once, with writes of the account and its deletion, end soon and none fails for another',
  async (name) => {
    const grouped = Object.keys(groups[name]?.writes ?? {});
    expect([
      ...(await race([...grouped, 'settings', 'portfolio changed', 'bet'], await writerOf(name), 2)),
      ...(await race([...grouped, 'account deleted'], await writerOf(name), 2)),
    ]).toEqual([]);
  },
);

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
