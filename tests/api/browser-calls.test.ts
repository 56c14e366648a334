import { sql } from 'kysely';
import { followPortfolio } from '@/lib/accounts/commands';
import { importFixtures } from '@/lib/fixtures/commands';
import { offeredChannels, spreadNews } from '@/lib/notifications/commands';
import type { NotificationList } from '@/lib/notifications/schema';
import { database } from '@/lib/platform/database';
import { forget } from '@/lib/platform/cache';
import { log } from '@/lib/platform/log';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { asOwner, onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { openCommitments, publishTip, settleDueTips } from '../support/moments';
import { describeCall, hostileNumbers, hostileTexts } from '../support/request';
import { match, worldNow } from '../support/world';

onTestDatabase();

const fixture = 'athletic-v-wanderers-2026-03-10';
const later = new Date('2026-03-11T12:00:00.000Z');
const bearers: Record<string, Record<string, string>> = {};
const tips = { settled: '', hidden: '', members: '' };
const leg = { id: 0 };

const followerOf = async (username: string, ...references: string[]) => {
  const session = await logIn(await openAccount(username, {}, worldNow), worldNow);
  for (const reference of references)
    await followPortfolio(await viewerOf(session, worldNow), reference, undefined, worldNow);
  bearers[username] = bearer(session);
};

beforeAll(async () => {
  standAt(worldNow);
  const ann = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const carl = await openShop('carl', { name: 'Carl Premium', visibility: PortfolioVisibility.premium }, worldNow);
  const legs = [await offer(fixture, 'match-result', 'home', 'bet365')];
  leg.id = legs[0]?.selectionId ?? 0;
  await sql`
    insert into portfolio_standing (portfolio_id, sport_id, period, as_of, tips, won, profit_advised, drawdown_advised, profit_level, yield_advised, drawdown_level, summary)
    values (${ann.id}, 0, 5, '2026-03-10', 60, 30, 1, 1, 1, 5, 1, '{}')
  `.execute(database());
  tips.settled = (
    await publishTip(ann.owner, ann.reference, { legs, stakeHundredths: 100, idempotencyKey: 'a' }, worldNow)
  ).reference;
  tips.hidden = (
    await publishTip(
      ann.owner,
      ann.reference,
      { legs, stakeHundredths: 100, idempotencyKey: 'b', hidden: true, analysis: 'Nobody may read this yet.' },
      worldNow,
    )
  ).reference;
  tips.members = (
    await publishTip(
      carl.owner,
      carl.reference,
      { legs, stakeHundredths: 100, idempotencyKey: 'c', free: false, analysis: 'For members alone.' },
      worldNow,
    )
  ).reference;
  await followerOf('bob', 'ann-football', 'carl-premium');
  await followerOf('dora');
  await spreadNews(offeredChannels(), worldNow);
});

// Before the tip is settled, after which it is no tip of today.
describeCall('/free-tips', 'GET', (ask) => {
  test('answers with the free tips of the next day by those with the best year', async () => {
    expect((await ask()).view).toMatchObject({ items: [{ reference: tips.settled, lock: null, free: true }] });
  });

  test('answers everybody alike, whatever they carry', async () => {
    expect((await ask({ headers: { authorization: 'Bearer nonsense' } })).text).toBe((await ask()).text);
  });
});

const idOf = async (username: string) =>
  (await sql<{ id: number }>`select id from account where username = ${username}`.execute(database())).rows[0]?.id ?? 0;

describeCall('/user/notifications', 'GET', (ask) => {
  const items = async (who: string) => ((await ask({ headers: bearers[who] ?? {} })).view as NotificationList).items;

  test('is refused to a guest', async () => {
    expect(await ask()).toMatchObject({ status: 401, refusal: { status: 401 } });
  });

  test('tells what the followed tipsters published, without what the follower may not read, and is kept by nobody', async () => {
    const { text, headers } = await ask({ headers: bearers.bob ?? {} });
    const listed = (await items('bob')).map(({ kind, title }) => [kind, title.split(': ')[1]]);
    expect(listed.sort()).toEqual([
      ['tip', 'A hidden tip'],
      ['tip', 'A tip for members'],
      ['tip', 'Athletic to beat Wanderers'],
    ]);
    expect(text).not.toMatch(/Nobody may read|For members alone/);
    expect(headers.get('cache-control')).toContain('no-store');
  });

  test('tells those before the one that is named, and refuses what names none', async () => {
    const [newest, ...older] = await items('bob');
    const before = async (id: unknown) => ask({ headers: bearers.bob ?? {}, query: { before: String(id) } });
    expect((await before(newest?.id)).view).toMatchObject({ items: older, next: null });
    for (const nonsense of ['x', 0, 1.5]) expect((await before(nonsense)).status).toBe(400);
  });

  test('is empty for who follows nobody', async () => {
    expect(await items('dora')).toEqual([]);
  });

  test('tells of settlements with outcome and profit, and forgets what is older than 30 days', async () => {
    await importFixtures(
      [
        {
          line: 2,
          fixture: match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', {
            result: { home: 2, away: 0, halfTime: null },
          }),
        },
      ],
      'football-data',
      later,
    );
    await openCommitments(later);
    await settleDueTips(later);
    await spreadNews(offeredChannels(), later);
    standAt(later);
    const fresh = { ...bearers, bob: bearer(await logIn(await idOf('bob'), later)) };
    const view = (await ask({ headers: fresh.bob })).view as NotificationList;
    const settled = view.items.find(({ kind, path }) => kind === 'settlement' && path.endsWith(tips.settled));
    expect(settled).toMatchObject({ outcome: 'won', profitHundredths: 150, portfolio: { name: 'Ann Football' } });
    const muchLater = new Date('2026-04-11T12:00:00.000Z');
    standAt(muchLater);
    expect((await ask({ headers: bearer(await logIn(await idOf('bob'), muchLater)) })).view).toEqual({
      items: [],
      unread: 0,
      unreadIds: [],
      next: null,
    });
    standAt(worldNow);
  });
});

describeCall('/odds-history/{reference}/{selection}', 'GET', (ask) => {
  test('answers with every price of the selection by bookmaker', async () => {
    const { view } = await ask({ params: { reference: fixture, selection: String(leg.id) } });
    expect(view).toMatchObject({ marketName: 'Match result', selectionName: 'Athletic' });
    const { series } = (
      view as {
        history: {
          series: { selectionId: number; bookmakerName: string; changes: { price: { oddsThousandths: number } }[] }[];
        };
      }
    ).history;
    expect(
      series.map(({ bookmakerName, changes }) => [bookmakerName, changes.map(({ price }) => price.oddsThousandths)]),
    ).toEqual([
      ['bet365', [2500]],
      ['Coral', [2450]],
    ]);
    expect(series.every(({ selectionId }) => selectionId === leg.id)).toBe(true);
  });

  test('takes the bookmakers of the purpose that is asked for, and refuses another', async () => {
    const books = async (purpose: string) => {
      const { view } = await ask({ params: { reference: fixture, selection: String(leg.id) }, query: { purpose } });
      const { history } = view as { history: { series: { bookmakerName: string }[] } };
      return history.series.map(({ bookmakerName }) => bookmakerName);
    };
    const show = async (isShown: boolean) => {
      await asOwner(sql`update bookmaker set show_on_add_tips = ${isShown} where reference = 'coral'`);
      await asOwner(sql`update bookmaker set show_on_live_odds = ${isShown} where reference = 'bet365'`);
      await forget(['bookmakers']);
    };
    await show(false);
    const found = [await books('markets'), await books('addTips'), await books('liveOdds')];
    await show(true);
    expect(found).toEqual([['bet365', 'Coral'], ['bet365'], ['Coral']]);
    for (const [, text] of hostileTexts)
      expect(
        (await ask({ params: { reference: fixture, selection: String(leg.id) }, query: { purpose: text } })).status,
      ).toBe(400);
  });

  test('says that the selection of another fixture, or none, is missing', async () => {
    for (const params of [
      { reference: 'rovers-v-town-2026-03-07', selection: String(leg.id) },
      { reference: fixture, selection: '2147483647' },
      { reference: fixture, selection: '9999999999' },
    ]) {
      expect(await ask({ params })).toMatchObject({
        status: 404,
        refusal: {
          message:
            'Not Found. There is no such selection, or no bookmaker that is shown in your country has a price for it. Find one on the page of its fixture.',
        },
      });
    }
  });

  test.each(hostileNumbers.map(([, text]) => text).filter((text) => text !== ''))(
    'refuses %j as a selection',
    async (selection) => {
      expect((await ask({ params: { reference: fixture, selection } })).status).toBe(400);
    },
  );

  test.each(hostileTexts.map(([, text]) => text).filter((text) => text !== ''))(
    'refuses %j as a fixture',
    async (reference) => {
      expect([400, 404]).toContain((await ask({ params: { reference, selection: '1' } })).status);
    },
  );
});

describeCall('/events', 'POST', (ask) => {
  const event = {
    name: 'click',
    label: 'share-tip',
    value: null,
    debug: false,
    user_id: null,
    organisation_id: null,
    active_portfolio: null,
    timestamp: '2026-03-10T12:00:00.000Z',
    referrer: null,
    breakpoint: 'xl',
    version: 'abc',
    page_url: '/football',
  };
  let addresses = 0;
  const send = (body: unknown) => ask({ body, headers: { 'x-tipledger-address': `198.51.100.${(addresses += 1)}` } });

  test('takes events into the log, errors as warnings, and nothing of who sent them', async () => {
    const lines: [string, unknown][] = [];
    const spies = (['info', 'warn', 'debug'] as const).map((level) =>
      jest.spyOn(log, level).mockImplementation((line: unknown) => void lines.push([level, line])),
    );
    const events = [event, { ...event, name: 'server_error', value: 503 }, { ...event, debug: true }];
    expect((await send({ events })).view).toEqual({ accepted: 3 });
    for (const spy of spies) spy.mockRestore();
    const { debug: _, ...kept } = event;
    expect(lines).toEqual([
      ['info', { event: 'browser', browser: kept }],
      ['warn', { event: 'browser', browser: { ...kept, name: 'server_error', value: 503 } }],
      ['debug', { event: 'browser', browser: kept }],
    ]);
    expect(JSON.stringify(lines)).not.toContain('198.51.100');
  });

  test('leaves a bad event out, and takes those beside it', async () => {
    const lines: unknown[] = [];
    const spies = (['info', 'warn'] as const).map((level) =>
      jest.spyOn(log, level).mockImplementation((line: unknown) => void lines.push(line)),
    );
    const bad = [{ ...event, label: 'a\nb' }, { ...event, label: '\ud83d' }, { ...event, 'x\0': 1 }, null, 'x'];
    const answer = await send({ events: [event, ...bad, { ...event, name: 'server_error' }] });
    for (const spy of spies) spy.mockRestore();
    expect(answer.view).toEqual({ accepted: 2 });
    const { debug: _, ...kept } = event;
    expect(lines).toEqual([
      { event: 'browser', browser: kept },
      { event: 'browser', browser: { ...kept, name: 'server_error' } },
      { event: 'browser-left-out', count: 5 },
    ]);
  });

  test('takes 20 events at most, and one at least', async () => {
    const many = (count: number) => send({ events: Array.from({ length: count }, () => event) });
    expect((await Promise.all([1, 20, 0, 21].map(many))).map(({ status }) => status)).toEqual([200, 200, 400, 400]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['a name that is none', { name: 'Click me' }],
    ['a line break', { label: 'a\nb' }],
    ['half of a character', { label: 'a\ud83d' }],
    ['a NUL', { referrer: 'a\0' }],
    ['a character that hides', { page_url: '/\u202Efootball' }],
    ['a long text', { label: 'a'.repeat(201) }],
    ['a number without end', { value: 1e300 }],
    ['a breakpoint that is none', { breakpoint: 'huge' }],
    ['a field more', { password: 'secret' }],
    ['no time', { timestamp: 'now' }],
  ])('refuses %s where nothing else came', async (_, change) => {
    expect((await send({ events: [{ ...event, ...change }] })).refusal).toMatchObject({
      status: 400,
      fields: { events: 'must have an event that is valid' },
    });
  });

  test('refuses the 61st batch of a minute', async () => {
    const one = { 'x-tipledger-address': '203.0.113.7' };
    const all = await Promise.all(Array.from({ length: 61 }, () => ask({ body: { events: [event] }, headers: one })));
    expect(all.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1);
  });
});
