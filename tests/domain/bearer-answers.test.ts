import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { calls } from '@/app/api/calls';
import {
  askForCode,
  changePassword,
  changeSettings,
  closeAllSessions,
  closeSession,
  deleteAccount,
  followPortfolio,
  sendAskedCodes,
  verifyCode,
} from '@/lib/accounts/commands';
import { getUser } from '@/lib/accounts/queries';
import { readNotifications, sendSample } from '@/lib/notifications/commands';
import type { IssuedSession } from '@/lib/accounts/schema';
import type { Viewer } from '@/lib/access/schema';
import { dispatcher } from '@/lib/api/dispatch';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { abandonPortfolio, createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { bearer, callerFrom, codeMailedTo, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { startServer } from '../support/site-server';
import { worldNow } from '../support/world';

onTestDatabase();

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  standAt(worldNow);
  server = await startServer(
    async (_request, response) => void response.writeHead(500).end(),
    undefined,
    dispatcher({ '/api/user': calls['/user'] }),
  );
});
afterAll(() => server.end());

type Member = { id: number; email: string; login: IssuedSession; viewer: Viewer };

let members = 0;

async function openMember(loggedInAt = worldNow, confirmed = true): Promise<Member> {
  const username = `bearer-${(members += 1)}`;
  const id = await openAccount(username, { confirmed }, worldNow);
  const login = await logIn(id, loggedInAt);
  return { id, email: `${username}@example.org`, login, viewer: await viewerOf(login, worldNow) };
}

const ask = async ({ login }: Pick<Member, 'login'>, path = '/api/user', method = 'GET') => {
  const response = await fetch(`${server.origin}${path}`, { method, headers: bearer(login) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    view: text === '' ? null : (JSON.parse(text) as unknown),
  };
};

async function codeFor(email: string, purpose: 'confirm' | 'password'): Promise<string> {
  await askForCode(email, purpose, worldNow, callerFrom('192.0.2.1').address);
  await sendAskedCodes(worldNow);
  return codeMailedTo(email);
}

const rename = (id: number, username: string) =>
  sql`update account set username = ${username} where id = ${id}`.execute(database());

const usernameOf = (view: unknown) => (view as { user: { username: string } }).user.username;

test('the second answer reads nothing, and is that of the first with all its headers', async () => {
  const member = await openMember();
  const [first, second] = [await ask(member), await ask(member)];
  await rename(member.id, 'changed-behind');
  const third = await ask(member);
  expect(first.view).toMatchObject(
    await getUser(member.viewer, worldNow).then((user) => ({ ...user, user: { ...user.user, username: 'bearer-1' } })),
  );
  expect([second.view, third.view]).toEqual([first.view, first.view]);
  for (const name of ['content-type', 'content-length', 'cache-control', 'content-security-policy', 'x-frame-options'])
    expect([name, third.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  expect(third.headers.get('cache-control')).toBe('private, no-store');
});

test('is nobody else’s: another bearer, no bearer, an altered one and one that ran out get none of it', async () => {
  const [member, other] = [await openMember(), await openMember()];
  await ask(member);
  expect(usernameOf((await ask(other)).view)).toMatch(/^bearer-3$/);
  // The last letters of a signature may be any by chance, and not all of their bits count.
  const token = member.login.token.replace(
    /\.(.)([^.]*)$/,
    (_, first: string, rest: string) => `.${first === 'A' ? 'B' : 'A'}${rest}`,
  );
  const altered = { login: { ...member.login, token } };
  expect((await ask(altered)).status).toBe(401);
  expect((await fetch(`${server.origin}/api/user`)).status).toBe(401);
});

test('ends with its token', async () => {
  const member = await openMember(new Date(worldNow.getTime() - 599_000));
  await ask(member);
  await rename(member.id, 'after-the-token');
  expect(usernameOf((await ask(member)).view)).not.toBe('after-the-token');
  await sleep(1_100);
  expect(usernameOf((await ask(member)).view)).toBe('after-the-token');
});

test('answers by HEAD, with a query and by PUT come from no kept answer', async () => {
  const member = await openMember();
  await ask(member);
  await rename(member.id, 'asked-otherwise');
  expect(usernameOf((await ask(member, '/api/user?a=1')).view)).toBe('asked-otherwise');
  expect((await ask(member, '/api/user', 'HEAD')).status).toBe(200);
});

test('who was told of a change before the instance was gets none of what is kept, and what they get is kept', async () => {
  const member = await openMember();
  await ask(member);
  await rename(member.id, 'told-elsewhere');
  const anew = { headers: { ...bearer(member.login), 'cache-control': 'no-cache' } };
  expect(usernameOf(await (await fetch(`${server.origin}/api/user`, anew)).json())).toBe('told-elsewhere');
  expect(usernameOf((await ask(member)).view)).toBe('told-elsewhere');
});

test('counts at once what came, of somebody whom they follow too, and what was read', async () => {
  const [member, tipster] = [await openMember(), await openMember()];
  const { reference } = await createPortfolio(
    tipster.viewer,
    { name: 'Bearer news', visibility: PortfolioVisibility.public },
    worldNow,
  );
  await followPortfolio(member.viewer, reference, undefined, worldNow);
  const unread = async () => ((await ask(member)).view as { unread: number }).unread;
  expect(await unread()).toBe(0);
  await sendSample(member.viewer, 'app', [], worldNow);
  expect(await unread()).toBe(1);
  await readNotifications(member.viewer, { upTo: Number.MAX_SAFE_INTEGER }, worldNow);
  expect(await unread()).toBe(0);
  await sql`update delivery set read_at = null where account_id = ${member.id}`.execute(database());
  expect(await unread()).toBe(0);
  await forget([`news-of:${reference}`]);
  expect(await unread()).toBe(1);
});

test('what is read while the account changes is not kept', async () => {
  const member = await openMember();
  const asking = Array.from({ length: 20 }, () => ask(member));
  await rename(member.id, 'changed-meanwhile');
  await forget([`account:${member.id}`]);
  await Promise.all(asking);
  expect(usernameOf((await ask(member)).view)).toBe('changed-meanwhile');
});

const changes: readonly [string, (member: Member) => Promise<unknown>][] = [
  [
    'a setting',
    ({ viewer }) => changeSettings(viewer, { maxStake: 3, oddsDisplayType: 'US', countryId: 14 }, worldNow),
  ],
  [
    'the e-mail address is confirmed',
    async ({ email }) => {
      const code = await codeFor(email, 'confirm');
      await verifyCode({ emailAddress: email, code }, worldNow, callerFrom('192.0.2.1').address);
    },
  ],
  [
    'a portfolio is made and abandoned',
    async ({ viewer, login }) => {
      const { reference } = await createPortfolio(
        viewer,
        { name: 'Kept no longer', visibility: PortfolioVisibility.public },
        worldNow,
      );
      await abandonPortfolio(await viewerOf(login, worldNow), reference, 'abandon it', worldNow);
    },
  ],
];

test.each(changes)('is asked for anew once %s', async (_what, change) => {
  const member = await openMember(worldNow, false);
  await ask(member);
  await change(member);
  await rename(member.id, `seen-${members}`);
  expect((await ask(member)).view).toMatchObject(await getUser(member.viewer, worldNow));
});

const endings: readonly [string, (member: Member) => Promise<unknown>][] = [
  ['signing out', ({ login }) => closeSession({ refreshToken: login.refreshToken }, callerFrom('192.0.2.1'), worldNow)],
  ['signing out everywhere', ({ viewer }) => closeAllSessions(viewer, worldNow)],
  ['deleting the account', ({ viewer }) => deleteAccount(viewer, worldNow)],
  [
    'a new password',
    async ({ email }) => {
      const code = await codeFor(email, 'password');
      await changePassword(
        { newPassword: 'four quiet herons', code, emailAddress: email },
        worldNow,
        callerFrom('192.0.2.1').address,
      );
    },
  ],
];

test.each(endings)('is refused after %s', async (_what, end) => {
  const member = await openMember();
  expect((await ask(member)).status).toBe(200);
  await end(member);
  expect((await ask(member)).status).toBe(401);
});
