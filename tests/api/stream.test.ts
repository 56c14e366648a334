import { followPortfolio } from '@/lib/accounts/commands';
import { closeStreams, countStreams } from '@/lib/stream/stream';
import { streamLimits } from '@/lib/stream/hub';
import type * as Topics from '@/lib/stream/topics';
import { mostTopics } from '@/lib/stream/topics';
import { importFixtures, reportLiveScores } from '@/lib/fixtures/commands';
import { sendSample } from '@/lib/notifications/commands';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { sql } from 'kysely';
import type { Call } from '@/lib/api/handle';
import { createPortfolio } from '@/lib/portfolios/commands';
import { listManagedPortfolios } from '@/lib/portfolios/queries';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { EventReader } from '../support/events';
import { offer } from '../support/members';
import { publishTip } from '../support/moments';
import { describeCall } from '../support/request';
import { match, worldNow } from '../support/world';

let isLost = false;
jest.mock('@/lib/stream/topics', () => {
  const actual = jest.requireActual<typeof Topics>('@/lib/stream/topics');
  const watchable: typeof actual.watchable = async (viewer, topics) => {
    if (isLost) throw new Error('The database is away.');
    return actual.watchable(viewer, topics);
  };
  return { ...actual, watchable };
});

onTestDatabase();
beforeAll(async () => {
  standAt(worldNow);
  await importFixtures(
    [{ line: 1, fixture: match('Kings', 'Queens', '2026-03-10T11:00:00.000Z') }],
    'football-data',
    worldNow,
  );
});

const underWay = 'kings-v-queens-2026-03-10';
const coming = 'athletic-v-wanderers-2026-03-10';
const live = { homeTeamScore: 1, awayTeamScore: 0, period: 'Second half', clock: null, scores: [], ended: false };

let addresses = 0;
const fromAnew = () => ({ 'x-tipledger-address': `198.51.100.${(addresses += 1)}` });

async function listen(call: Call, topics: string, headers: Record<string, string> = fromAnew()): Promise<EventReader> {
  const response = await call(
    new Request(`http://localhost/api/stream?topics=${encodeURIComponent(topics)}`, { headers }),
    { params: Promise.resolve({}) },
  );
  expect([
    response.status,
    response.headers.get('content-type'),
    response.headers.get('cache-control'),
    response.headers.get('x-accel-buffering'),
  ]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store, no-transform', 'no']);
  return new EventReader(response);
}

async function memberNamed(name: string) {
  const login = await logIn(await openAccount(name, {}, worldNow), worldNow);
  return {
    headers: { ...bearer(login), ...fromAnew() },
    viewer: await viewerOf(login, worldNow),
    again: () => viewerOf(login, worldNow),
  };
}

describeCall('/stream', 'GET', (ask, call) => {
  afterEach(() => expect(countStreams()).toBe(0));

  test('opens with the topics that it carries and how they stand', async () => {
    const reader = await listen(call, `live,fixture:${underWay}`);
    expect(await reader.next()).toMatchObject({
      name: 'open',
      data: { facts: { topics: ['live', `fixture:${underWay}`] } },
    });
    expect(await reader.next()).toMatchObject({ name: 'state', data: { topic: 'live', facts: { matches: [] } } });
    expect(await reader.next()).toMatchObject({
      name: 'state',
      data: { topic: `fixture:${underWay}`, facts: { status: 'awaiting-result', live: null } },
    });
    await reader.end();
  });

  test('tells of a score with the score, and of a price that something changed', async () => {
    const reader = await listen(call, `live,fixture:${underWay},fixture:${coming}`);
    await reportLiveScores([{ fixtureReference: underWay, ...live }], worldNow);
    const heard = [
      await reader.until(({ name }) => name === 'change'),
      await reader.until(({ name }) => name === 'change'),
    ];
    expect(heard.map(({ data }) => data.topic).sort()).toEqual([`fixture:${underWay}`, 'live'].sort());
    expect(heard.find(({ data }) => data.topic === `fixture:${underWay}`)?.data.facts).toMatchObject({ live });
    expect(heard.find(({ data }) => data.topic === 'live')?.data.facts).toMatchObject({
      matches: [{ reference: underWay, home: 'Kings', away: 'Queens', live }],
    });
    await forget([`fixture:${coming}`]);
    expect((await reader.until(({ name }) => name === 'change')).data.topic).toBe(`fixture:${coming}`);
    await reader.end();
  });

  test('resumes after the last event: tells what changed meanwhile, and how the rest stands', async () => {
    const first = await listen(call, `fixture:${underWay},fixture:${coming}`);
    const opened = await first.next();
    await first.end();
    await forget([`fixture:${coming}`]);
    const again = await listen(call, `fixture:${underWay},fixture:${coming}`, {
      ...fromAnew(),
      'last-event-id': opened?.id ?? '',
    });
    await again.next();
    expect([await again.next(), await again.next()].map((event) => [event?.name, event?.data.topic])).toEqual([
      ['state', `fixture:${underWay}`],
      ['change', `fixture:${coming}`],
    ]);
    await again.end();
  });

  test.each(['00000000-3', 'nonsense', '../../etc', '99999999999999999999'])(
    'takes everything for changed after the event %s, which it does not know',
    async (id) => {
      const reader = await listen(call, `fixture:${underWay}`, { ...fromAnew(), 'last-event-id': id });
      await reader.next();
      expect((await reader.next())?.name).toBe('change');
      await reader.end();
    },
  );

  test('tells a member that somebody whom they follow published, a guest nothing of that topic, and nobody what was published', async () => {
    const [ann, bob] = [await memberNamed('ann'), await memberNamed('bob')];
    const shop = await createPortfolio(
      ann.viewer,
      { name: 'Ann canary', visibility: PortfolioVisibility.public },
      worldNow,
    );
    await followPortfolio(bob.viewer, shop.reference, undefined, worldNow);
    const [member, guest] = [
      await listen(call, 'followed', bob.headers),
      await listen(call, `followed,portfolio:${shop.reference}`),
    ];
    expect((await guest.next())?.data.facts).toEqual({ topics: [`portfolio:${shop.reference}`] });
    const leg = await offer(coming, 'match-result', 'home', 'bet365');
    await publishTip(
      await ann.again(),
      shop.reference,
      { idempotencyKey: 'canary', legs: [leg], stakeHundredths: 100, hidden: true, analysis: 'CANARY-REASON' },
      worldNow,
    );
    expect((await member.until(({ name }) => name === 'change')).data).toEqual({
      topic: 'followed',
      version: expect.any(Number),
    });
    expect((await guest.until(({ name }) => name === 'change')).data).toEqual({
      topic: `portfolio:${shop.reference}`,
      version: expect.any(Number),
    });
    expect(`${member.text}${guest.text}`).not.toMatch(/CANARY|Athletic|2500/);
    await Promise.all([member.end(), guest.end()]);
  });

  test('opens for a member with how many news are unread, of nobody else, and tells later only that some came', async () => {
    const [eve, fay] = [await memberNamed('eve'), await memberNamed('fay')];
    await sendSample(eve.viewer, 'app', [], worldNow);
    const [first, other, guest] = [
      await listen(call, 'news', eve.headers),
      await listen(call, 'news', fay.headers),
      await listen(call, 'news,live'),
    ];
    const stateOf = async (reader: EventReader) => (await reader.until(({ name }) => name === 'state')).data;
    expect(await stateOf(first)).toMatchObject({ topic: 'news', facts: { unread: 1 } });
    expect(await stateOf(other)).toMatchObject({ topic: 'news', facts: { unread: 0 } });
    expect(await stateOf(guest)).toMatchObject({ topic: 'live' });
    await sendSample(eve.viewer, 'app', [], worldNow);
    expect((await first.until(({ name }) => name === 'change')).data).toEqual({
      topic: 'news',
      version: expect.any(Number),
    });
    await Promise.all([first.end(), other.end(), guest.end()]);
    expect(`${other.text}${guest.text}`).not.toContain('change');
  });

  test('tells of news whoever is a member without following, and who follows or joins while it is open', async () => {
    const [gil, hal, ivy] = [await memberNamed('gil'), await memberNamed('hal'), await memberNamed('ivy')];
    const owned = { name: 'Gil Football', visibility: PortfolioVisibility.public };
    const shop = await createPortfolio(gil.viewer, owned, worldNow);
    const idOf = ({ viewer }: typeof hal) => (viewer.kind === 'member' ? viewer.accountId : 0);
    const joinShop = async (who: typeof hal) => {
      await sql`
        insert into membership (account_id, portfolio_id, starts_at, ends_at)
        select ${idOf(who)}::int, id, ${worldNow}, ${worldNow}::timestamptz + interval '1 day' from portfolio where reference = ${shop.reference}
      `.execute(database());
      await forget([`account:${idOf(who)}`]);
    };
    const spread = () => forget([`news-of:${shop.reference}`]);
    const hears = async (reader: EventReader) => (await reader.until(({ name }) => name === 'change')).data.topic;

    await joinShop(hal);
    const [member, late] = [await listen(call, 'news', hal.headers), await listen(call, 'news', ivy.headers)];
    await spread();
    expect(await hears(member)).toBe('news');
    await followPortfolio(ivy.viewer, shop.reference, undefined, worldNow);
    // At once: before its tags were found anew.
    await spread();
    expect(await hears(late)).toBe('news');
    await spread();
    expect(await hears(late)).toBe('news');
    await Promise.all([member.end(), late.end()]);
  });

  test('opens for a member with what their account opens, and tells them alone of every change of it, beside what they follow', async () => {
    const [lea, max] = [await memberNamed('lea'), await memberNamed('max')];
    const [own, other, guest] = [
      await listen(call, 'account,news', lea.headers),
      await listen(call, 'account', max.headers),
      await listen(call, 'account,live'),
    ];
    expect((await guest.next())?.data.facts).toEqual({ topics: ['live'] });
    const ofAccount = ({ data }: { data: { topic?: string } }) => data.topic === 'account';
    expect((await own.until(ofAccount)).data.facts).toEqual({ user: { hasProMembership: false }, opens: [] });
    const { reference } = await createPortfolio(
      lea.viewer,
      { name: 'Lea Football', visibility: PortfolioVisibility.public },
      worldNow,
    );
    expect(await own.until(ofAccount)).toMatchObject({ name: 'change', data: { topic: 'account' } });
    const shop = await createPortfolio(
      max.viewer,
      { name: 'Max Football', visibility: PortfolioVisibility.public },
      worldNow,
    );
    await other.until(({ name }) => name === 'change');
    await followPortfolio(lea.viewer, shop.reference, undefined, worldNow);
    await forget([`news-of:${shop.reference}`]);
    await own.until(({ name, data }) => name === 'change' && data.topic === 'news');
    const again = await listen(call, 'account', { ...lea.headers });
    const [{ id } = { id: 0 }] = await listManagedPortfolios(await lea.again(), worldNow);
    expect((await again.until(ofAccount)).data.facts).toEqual({ user: { hasProMembership: false }, opens: [id] });
    await Promise.all([own.end(), other.end(), guest.end(), again.end()]);
    expect(`${other.text}${guest.text}`).not.toContain(reference);
    expect(guest.text).not.toContain('change');
  });

  test('ends where it cannot be found out what a changed account is to hear of, so that it is opened anew', async () => {
    const { headers, viewer } = await memberNamed('kim');
    const reader = await listen(call, 'news', headers);
    await reader.until(({ name }) => name === 'open');
    isLost = true;
    await forget([`account:${viewer.kind === 'member' ? viewer.accountId : 0}`]);
    await expect(reader.until(() => false)).rejects.toThrow('The stream ended');
    isLost = false;
  });

  test('leaves a personal portfolio out for everybody but its owner, as one that is not there', async () => {
    const owner = await memberNamed('cid');
    const { reference } = await createPortfolio(
      owner.viewer,
      { name: 'Cid alone', visibility: PortfolioVisibility.personal },
      worldNow,
    );
    const topicsFor = async (headers: Record<string, string>) => {
      const reader = await listen(call, `live,portfolio:${reference},portfolio:nobody-has-this`, headers);
      const facts = (await reader.next())?.data.facts;
      await reader.end();
      return facts;
    };
    expect(await topicsFor(fromAnew())).toEqual({ topics: ['live'] });
    expect(await topicsFor((await memberNamed('dan')).headers)).toEqual({ topics: ['live'] });
    expect(await topicsFor({ ...owner.headers })).toEqual({ topics: ['live', `portfolio:${reference}`] });
  });

  const tooMany = Array.from({ length: mostTopics + 1 }, (_, index) => `fixture:a-${index}`).join(',');
  const wrongTopics = [
    '',
    ',',
    'live,nothing',
    'fixture:',
    'fixture:A B',
    'fixture:a:b',
    'portfolio:../x',
    'tip:abc',
    '__proto__',
    tooMany,
    'a'.repeat(9_000),
  ].map((topics) => ({ topics, shown: topics.slice(0, 30) }));
  test.each(wrongTopics)('refuses the topics "$shown" and says what they are', async ({ topics }) => {
    const { status, refusal } = await ask({ query: { topics }, headers: fromAnew() });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['topics']]);
  });

  test('refuses to be asked without topics or with them twice', async () => {
    expect((await ask({ headers: fromAnew() })).status).toBe(400);
    expect((await ask({ query: 'topics=live&topics=live', headers: fromAnew() })).status).toBe(400);
  });

  test('answers a request for its head without opening a stream', async () => {
    const response = await call(
      new Request('http://localhost/api/stream?topics=live', { method: 'HEAD', headers: fromAnew() }),
      { params: Promise.resolve({}) },
    );
    expect([response.status, response.body]).toEqual([200, null]);
  });

  test('has its fill of one address, and takes it again once one has gone', async () => {
    const from = fromAnew();
    const readers = await Promise.all(
      Array.from({ length: streamLimits.perNetwork }, () => listen(call, 'live', from)),
    );
    const refused = await ask({ query: { topics: 'live' }, headers: from });
    expect([refused.status, refused.refusal?.message]).toEqual([
      429,
      'Too many streams are open. Close some, or ask the ordinary calls.',
    ]);
    await readers[0]?.end();
    readers[0] = await listen(call, 'live', from);
    await Promise.all(readers.map((reader) => reader.end()));
  });

  test('ends when the program does, and opens no other', async () => {
    const reader = await listen(call, 'live');
    closeStreams();
    await expect(reader.until(() => false)).rejects.toThrow('The stream ended');
    expect((await ask({ query: { topics: 'live' }, headers: fromAnew() })).status).toBe(503);
  });
});
