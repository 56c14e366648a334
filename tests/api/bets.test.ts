import type { IssuedSession } from '@/lib/accounts/schema';
import type { BetView } from '@/lib/bets/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { placeBet, publishTip } from '../support/moments';
import { type Ask, describeCall, hostileNumbers, hostileTexts } from '../support/request';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const start = '2026-03-10T20:00:00.000Z';

const logins: Record<string, IssuedSession> = {};
const as = (name: string, key?: string) => ({
  ...bearer(logins[name] ?? { token: '' }),
  ...(key && { 'idempotency-key': key }),
});
const tips: Record<string, string> = {};
let home: Awaited<ReturnType<typeof offer>>;

beforeAll(async () => {
  standAt(worldNow);
  for (const name of ['cat', 'dan', 'newcomer']) {
    const id = await openAccount(name, { confirmed: name !== 'newcomer' }, worldNow);
    logins[name] = await logIn(id, worldNow);
  }
  home = await offer(athletic, 'match-result', 'home', 'bet365');
  const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
  for (const hidden of [false, true])
    tips[hidden ? 'hidden' : 'open'] = (
      await publishTip(
        owner,
        reference,
        { idempotencyKey: `tip-${hidden}`, legs: [home], stakeHundredths: 100, hidden },
        worldNow,
      )
    ).reference;
});

afterEach(() => standAt(worldNow));

const price = () => ({ oddsThousandths: home.oddsThousandths, fraction: null });
const body = (more: object = {}) => ({
  legs: [{ fixtureReference: athletic, selectionId: home.selectionId, bookmakerId: home.bookmakerId, price: price() }],
  stakeMinor: 100,
  ...more,
});
const shorten = (odds: number) =>
  importFixtures(
    [
      {
        line: 1,
        fixture: match('Athletic', 'Wanderers', start, {
          markets: [matchResult('Athletic', 'Wanderers', '2026-03-10T11:00:00.000Z', { bet365: [odds, 3200, 3100] })],
        }),
      },
    ],
    'football-data',
    worldNow,
  );

describeCall('/bet-slip/prices', 'POST', (ask) => {
  const legs = (more: object[] = []) => ({
    legs: [{ selectionId: home.selectionId, bookmakerId: home.bookmakerId }, ...more],
  });

  test('tells everybody what a leg is offered at now', async () => {
    for (const headers of [{}, as('newcomer'), as('cat')]) {
      const { view } = await ask({ body: legs(), headers });
      expect(view).toEqual({
        legs: [
          {
            selectionId: home.selectionId,
            bookmakerId: home.bookmakerId,
            state: 'offered',
            price: price(),
            startsAt: start,
            eachWay: null,
          },
        ],
      });
    }
  });

  test(
    'tells of a price that moved, and of a leg that nobody knows',
    undone(async () => {
      await shorten(2400);
      const { view } = await ask({
        body: legs([
          { selectionId: 2_000_000_000, bookmakerId: home.bookmakerId },
          { selectionId: home.selectionId, bookmakerId: 2_000_000_000 },
        ]),
      });
      expect(view).toMatchObject({
        legs: [
          { state: 'offered', price: { oddsThousandths: 2400 } },
          { state: 'unknown', price: null, startsAt: null },
          { state: 'unknown' },
        ],
      });
    }),
  );

  test('gives no price once the fixture has started', async () => {
    const { view } = await ask({ body: legs() });
    expect(view).toMatchObject({ legs: [{ state: 'offered' }] });
    standAt(new Date(start));
    expect((await ask({ body: legs() })).view).toMatchObject({ legs: [{ state: 'started', price: null }] });
  });

  test.each([
    [{}],
    [{ legs: [] }],
    [{ legs: Array.from({ length: 13 }, () => ({ selectionId: 1, bookmakerId: 1 })) }],
    [{ legs: [{ selectionId: '1', bookmakerId: 1 }] }],
    [{ legs: [{ selectionId: 0, bookmakerId: 1 }] }],
    ['nonsense'],
    [{ legs: [{ selectionId: 1, bookmakerId: 1, more: 1 }] }],
  ])('refuses %j', async (given) => {
    expect((await ask({ body: given })).status).toBe(400);
  });
});

describeCall('/bet-slip/tip/{portfolio}/{tip}', 'GET', (ask) => {
  test('gives the legs of a tip that is open to everybody', async () => {
    const { view } = await ask({ params: { portfolio: 'ann-football', tip: tips.open ?? '' } });
    expect(view).toEqual({
      legs: [
        {
          ...{
            fixtureReference: athletic,
            fixtureName: 'Athletic v Wanderers',
            sportReference: 'football',
            startsAt: start,
            marketName: 'Match result',
            selectionName: 'Athletic',
            bookmakerName: 'bet365',
          },
          ...{
            selectionId: home.selectionId,
            bookmakerId: home.bookmakerId,
            oddsThousandths: 2500,
            fraction: null,
            eachWay: null,
          },
        },
      ],
    });
  });

  test('gives nothing of a hidden tip before its start, and all of it then', async () => {
    const params = { portfolio: 'ann-football', tip: tips.hidden ?? '' };
    for (const headers of [{}, as('cat')]) {
      const { status, text } = await ask({ params, headers });
      expect(status).toBe(403);
      expect(text).not.toContain(String(home.selectionId));
    }
    standAt(new Date(start));
    expect((await ask({ params })).view).toMatchObject({ legs: [{ selectionName: 'Athletic' }] });
  });

  test.each(hostileTexts)('finds no tip by %s', async (_, text) => {
    for (const params of [
      { portfolio: 'ann-football', tip: text },
      { portfolio: text, tip: tips.open ?? '' },
    ])
      expect([400, 404]).toContain((await ask({ params })).status);
  });
});

const place = (ask: Ask, name: string, key: string, more: object = {}) =>
  ask({ body: body(more), headers: as(name, key) });

describeCall('/user/bets', 'POST', (ask) => {
  test(
    'places a bet for a member, once for one key',
    undone(async () => {
      const first = await place(ask, 'cat', 'one');
      expect([first.status, first.view]).toMatchObject([
        201,
        {
          stakeMinor: 100,
          currencyId: 2,
          enteredLate: false,
          settlement: null,
          legs: [{ selectionName: 'Athletic', ownPrice: false }],
        },
      ]);
      expect((await place(ask, 'cat', 'one')).view).toEqual(first.view);
      expect((await place(ask, 'cat', 'one', { stakeMinor: 200 })).status).toBe(409);
      expect(((await place(ask, 'dan', 'one')).view as BetView).reference).not.toBe((first.view as BetView).reference);
    }),
  );

  test(
    'names the price now when it became shorter',
    undone(async () => {
      await shorten(2400);
      const { status, text } = await place(ask, 'cat', 'one');
      expect([status, JSON.parse(text)]).toMatchObject([
        409,
        { moved: [{ selectionId: home.selectionId, now: { oddsThousandths: 2400 } }] },
      ]);
    }),
  );

  test('refuses guests, those whose address is not confirmed, and an attempt without a name', async () => {
    expect((await ask({ body: body(), headers: { 'idempotency-key': 'one' } })).status).toBe(401);
    expect((await place(ask, 'newcomer', 'one')).status).toBe(403);
    expect((await ask({ body: body(), headers: as('cat') })).refusal?.fields).toHaveProperty('idempotency-key');
  });

  test.each([
    [{ stakeMinor: 0 }, 'stakeMinor'],
    [{ stakeMinor: 1.5 }, 'stakeMinor'],
    [{ stakeMinor: 100_000_001 }, 'stakeMinor'],
    [{ currencyId: 8 }, 'currencyId'],
    [{ legs: [] }, 'legs'],
    [{ takenAt: 'yesterday' }, 'takenAt'],
    [{ bookmakerName: 'Nobody’s' }, 'bookmakerName'],
    [{ tip: { portfolioReference: 'ann', reference: 'x' } }, 'tip.reference'],
    [{ takenAt: '2026-03-10T12:00:01Z' }, 'takenAt'],
  ])('refuses %j and names %s', async (more, field) => {
    const { status, refusal } = await place(ask, 'cat', 'bad', more);
    expect(status).toBe(400);
    expect(refusal?.fields).toHaveProperty([field]);
  });

  test('refuses what is no bet at all', async () => {
    for (const given of [
      'nonsense',
      [],
      null,
      { ...body(), account_id: 1 },
      { ...body(), legs: [...body().legs, ...body().legs] },
    ])
      expect((await ask({ body: given, headers: as('cat', 'bad') })).status).toBe(400);
  });
});

describeCall('/user/bets', 'GET', (ask) => {
  test(
    'lists one’s own bets and nobody else’s, kept by nobody',
    undone(async () => {
      const cat = await viewerOf(logins.cat as IssuedSession, worldNow);
      const { reference } = await placeBet(cat, body(), 'one', worldNow);
      const mine = await ask({ headers: as('cat') });
      expect(mine.view).toMatchObject({ items: [{ reference }], next: null, count: 1 });
      expect(mine.headers.get('cache-control')).toBe('private, no-store');
      expect((await ask({ headers: as('dan') })).view).toEqual({ items: [], next: null, count: 0 });
      expect((await ask({ headers: as('newcomer') })).view).toEqual({ items: [], next: null, count: 0 });
      expect((await ask({ query: { sport: 'tennis' }, headers: as('cat') })).view).toMatchObject({ items: [] });
      expect((await ask()).status).toBe(401);
    }),
  );

  test.each(hostileNumbers)('takes no %s for a number', async (_, text) => {
    for (const name of ['skip', 'period', 'currency'])
      expect((await ask({ query: { [name]: text }, headers: as('cat') })).status).toBe(400);
  });

  test.each(hostileTexts)('takes no sport called %s', async (_, text) => {
    expect((await ask({ query: { sport: text }, headers: as('cat') })).status).toBe(400);
  });
});

describeCall('/user/bets/stats', 'GET', (ask) => {
  test('gives a member without bets an empty record, and a guest none', async () => {
    expect((await ask({ headers: as('dan') })).view).toMatchObject({
      all: 0,
      currencyId: 2,
      currencies: [],
      sports: [],
      curve: [],
      statistics: { tips: 0, window: null },
      months: { years: [] },
    });
    expect((await ask()).status).toBe(401);
    expect((await ask({ query: { period: '9' }, headers: as('dan') })).status).toBe(400);
  });
});

describeCall('/user/bets/export', 'GET', (ask) => {
  test('gives a member the file of their bets, and a guest none', async () => {
    const { status, text, headers } = await ask({ headers: as('dan') });
    expect([status, text.startsWith('bet,placed at,'), headers.get('content-disposition')]).toEqual([
      200,
      true,
      'attachment; filename="tipledger-bets.csv"',
    ]);
    expect((await ask()).status).toBe(401);
    expect((await ask({ query: { currency: '99' }, headers: as('dan') })).status).toBe(400);
  });
});

describeCall('/user/bets/{reference}', 'DELETE', (ask) => {
  test(
    'takes out a bet of one’s own, and knows no other',
    undone(async () => {
      const { reference } = await placeBet(
        await viewerOf(logins.cat as IssuedSession, worldNow),
        body(),
        'one',
        worldNow,
      );
      expect((await ask({ params: { reference }, headers: as('dan') })).status).toBe(404);
      expect((await ask({ params: { reference } })).status).toBe(401);
      expect((await ask({ params: { reference }, headers: as('newcomer') })).status).toBe(403);
      expect((await ask({ params: { reference }, headers: as('cat') })).status).toBe(200);
      expect((await ask({ params: { reference }, headers: as('cat') })).status).toBe(404);
    }),
  );

  test.each(hostileTexts)('finds no bet by %s', async (_, reference) => {
    expect([400, 404]).toContain((await ask({ params: { reference }, headers: as('cat') })).status);
  });
});
