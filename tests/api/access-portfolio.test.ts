import { sql } from 'kysely';
import { followPortfolio } from '@/lib/accounts/commands';
import { setAutobetRule } from '@/lib/bets/commands';
import { placeAutobets } from '@/lib/jobs/autobets';
import { listMemberships } from '@/lib/memberships/queries';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { changePortfolio } from '@/lib/portfolios/commands';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { bearer } from '../support/accounts';
import { readsByKind } from '../support/access-calls';
import { type Known, known, lockedText } from '../support/access-kinds';
import { readMatrix, type ReadKind, unmatched } from '../support/access-matrix';
import { type AccessWorld, type ForMembers, openAccessWorld, publishForMembers } from '../support/access-world';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { signLedger } from '../support/moments';
import { after, pass } from '../support/news';
import { addressOf, doors, type Sent } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

type Who = 'guest' | Known;
const visitors: readonly Who[] = ['guest', ...known];
const fixture = 'athletic-v-wanderers-2026-03-10';

let world: AccessWorld;
let published: ForMembers;

beforeAll(async () => {
  standAt(worldNow);
  world = await openAccessWorld(worldNow);
  const { people, portfolio } = world;
  await changePortfolio(
    people.owner.viewer,
    { reference: portfolio.reference, premiumWelcomeMessage: lockedText },
    'welcome',
    worldNow,
  );
  const rule = { enabled: true, unitMinor: 1_000, mostMinor: 5_000, currencyId: CurrencyId.GBP } as const;
  for (const [kind, { viewer }] of Object.entries(people)) {
    if (kind === 'owner') continue;
    await followPortfolio(viewer, portfolio.reference, undefined, worldNow);
    await decidedAt(worldNow, () => setAutobetRule(viewer, portfolio.reference, rule, worldNow));
  }
  published = await publishForMembers(world, after(1));
  standAt(after(20));
  await pass();
  await decidedAt(after(15), () => placeAutobets(after(15)));
  await signLedger(after(15));
});

/** What a call that reads is asked for, so that it is about the portfolio, its post and its tip wherever it can be. */
function sentTo(path: string): Sent {
  const { tip, post, legs } = published;
  const { reference } = world.portfolio;
  const isOfFixture = /^\/(fixture|odds-history|user\/fixture)\//.test(path);
  const params = {
    ...{ reference: isOfFixture ? fixture : reference, portfolio: reference, tip, tipReference: tip, post },
    ...{ selection: String(legs[0]?.selectionId), kind: 'sport', period: '6', list: 'tips', sequence: '1' },
    ...{ order: world.order, membership: world.membership, id: world.membership, mail: '1' },
    path: ['entries', '000.p', '1'],
  };
  const queries: Record<string, Sent['query']> = {
    '/best-odds': { fixtures: '1' },
    '/best-odds/tips': { tips: tip },
    '/edge/market-names-list': { reference: fixture },
    '/ledger/consistency': { from: '1', to: '2' },
    '/ledger/export': { format: 'json' },
    '/search': { q: 'those who paid' },
    '/user/checkout': { portfolio: reference, period: 'week' },
  };
  return { params, query: queries[path] ?? (/^\/edge\//.test(path) ? { sportId: '1' } : '') };
}

let networks = 0;

async function ask(path: string, who: Who): Promise<{ status: number; text: string }> {
  const call = doors[path]?.GET;
  if (!call) throw new Error(`There is no call GET ${path}.`);
  const { params = {}, query = '' } = sentTo(path);
  const headers = {
    'x-tipledger-address': `198.51.${100 + Math.floor(networks / 250)}.${(networks += 1) % 250}`,
    ...(who === 'guest' ? {} : bearer(world.people[who].login)),
  };
  const response = await decidedAt(
    () => new Date(),
    () => call(new Request(addressOf(path, { params, query }), { headers }), { params: Promise.resolve(params) }),
  );
  return { status: response.status, text: await response.text() };
}

/** Which members' things an answer holds: the text of the tip and the post, or what the tip is on; where a call names no more of a tip, its reference. */
function holdsLocked(path: string, text: string): boolean {
  if (['/best-odds/tips', '/user/autobets'].includes(path)) return text.includes(published.tip);
  const isOfFixture = /^\/(fixture|edge)\//.test(path);
  return text.includes(lockedText) || (!isOfFixture && text.includes('Wanderers'));
}

/** Why a call is not asked. */
const leftOut: Readonly<Record<string, string>> = {
  'GET /stream': 'does not end, and gives no text; tests/api/stream.test.ts',
  'GET /images/{file}': 'is a picture that somebody sent',
  'GET /share/{reference}/{tip}/{version}': 'is a picture; tests/api/share.test.ts',
  'GET /share/page/{kind}/{reference}/{version}': 'is a picture; tests/api/share-page.test.ts',
  'GET /outbox': 'shows the mails of everybody, and is shut in production',
};

const kindOf = new Map(
  (Object.entries(readsByKind) as [ReadKind, readonly string[]][]).flatMap(([kind, names]) =>
    names.map((name) => [name, kind] as const),
  ),
);
const reads = Object.entries(doors).flatMap(([path, { GET }]) => (GET ? [{ name: `GET ${path}`, path }] : []));
const asked = reads.filter(({ name }) => !(name in leftOut));

test('the calls that give what is for members are calls', () => {
  const names = reads.map(({ name }) => name);
  expect(
    unmatched(
      [...kindOf.keys()],
      names.filter((name) => kindOf.has(name)),
    ),
  ).toEqual([]);
  expect(Object.keys(leftOut).filter((name) => !names.includes(name))).toEqual([]);
});

test('everybody is what they are called', async () => {
  const states = await Promise.all(
    known.map(async (kind) => {
      const { running, past } = await listMemberships(world.people[kind].viewer, worldNow);
      return [kind, [...running, ...past].map(({ name, state }) => `${name}: ${state}`).join()] as const;
    }),
  );
  expect(Object.fromEntries(states.filter(([, state]) => state !== ''))).toEqual({
    trial: 'Ann Football: trial',
    active: 'Ann Football: active',
    'past due': 'Ann Football: past due',
    overdue: 'Ann Football: past due',
    cancelled: 'Ann Football: cancelled',
    ended: 'Ann Football: ended',
    'member elsewhere': 'Other tips: active',
    'pro in team': 'Tipledger Pro: active',
    'pro out of team': 'Tipledger Pro: active',
    'pro ended': 'Tipledger Pro: ended',
  });
});

describe.each(asked)('$name', ({ name, path }) => {
  test('gives what is for members to whom the matrix has it, and to nobody else', async () => {
    const kind = kindOf.get(name);
    const statuses = new Set<number>();
    const [got, wanted]: [Record<string, string>, Record<string, string>] = [{}, {}];
    for (const who of visitors) {
      const { status, text } = await ask(path, who);
      statuses.add(status);
      got[who] = holdsLocked(path, text) ? 'yes' : 'no';
      wanted[who] = kind ? readMatrix[who][kind] : 'no';
      if (status === 400 || status >= 500) got[who] += `, ${status} ${text}`;
    }
    expect(got).toEqual(wanted);
    expect([...statuses]).toContain(200);
  });
});

test('GET /user tells everybody whether the portfolio is open to them, as the matrix has it', async () => {
  const [got, wanted]: [Record<string, string>, Record<string, string>] = [{}, {}];
  for (const who of known) {
    const { opens } = JSON.parse((await ask('/user', who)).text) as { opens: number[] };
    got[who] = opens.includes(world.portfolio.id) ? 'yes' : 'no';
    wanted[who] = readMatrix[who]['is told'];
  }
  expect(got).toEqual(wanted);
});

test.each(readsByKind.reads.filter((name) => name.startsWith('GET /portfolio/')))(
  '%s gives everybody the same once the portfolio is hidden',
  (name) =>
    undone(async () => {
      const path = name.replace('GET ', '');
      const askAll = async () =>
        Object.fromEntries(await Promise.all(visitors.map(async (who) => [who, await ask(path, who)])));
      const before = await askAll();
      const { reference } = world.portfolio;
      await sql`update portfolio set visibility = ${PortfolioVisibility.hidden} where reference = ${reference}`.execute(
        database(),
      );
      await forget([`portfolio:${reference}`, 'posts', 'tips']);
      expect(await askAll()).toEqual(before);
    })(),
);

test.each(['/portfolio/{reference}/posts/cached/{post}', '/portfolio/{reference}/tips/cached/{tip}'])(
  'GET %s gives everybody what a guest sees',
  async (path) => {
    const guest = await ask(path, 'guest');
    expect(guest.status).toBe(200);
    for (const who of known) expect([who, await ask(path, who)]).toEqual([who, guest]);
  },
);
