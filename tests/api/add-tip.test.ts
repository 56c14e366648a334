import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { log } from '@/lib/platform/log';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { offer } from '../support/members';
import { describeCall } from '../support/request';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const start = new Date('2026-03-10T20:00:00.000Z');
const logins: Record<string, IssuedSession> = {};
const as = (name: string, key?: string) => ({
  ...bearer(logins[name] ?? { token: '' }),
  ...(key === undefined ? {} : { 'idempotency-key': key }),
});
const params = { reference: 'ann-football' };
const tip = async (more: object = {}) => ({
  legs: [await offer(athletic, 'match-result', 'home', 'bet365')],
  stakeHundredths: 100,
  ...more,
});

beforeAll(async () => {
  standAt(worldNow);
  for (const [name, portfolio] of Object.entries({
    ann: 'Ann Football',
    dan: 'Dan Darts',
    eve: 'Eve alone',
    bob: null,
    newcomer: null,
  })) {
    logins[name] = await logIn(await openAccount(name, { confirmed: name !== 'newcomer' }, worldNow), worldNow);
    const visibility = name === 'eve' ? PortfolioVisibility.personal : PortfolioVisibility.public;
    if (portfolio)
      await createPortfolio(await viewerOf(logins[name], worldNow), { name: portfolio, visibility }, worldNow);
  }
});

const countTips = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from tip`.execute(database())).rows[0]?.count;

describeCall('/user/portfolio/{reference}/tips/add-tip', 'POST', (ask) => {
  test('publishes a tip and answers 201 with its reference and the moment', () =>
    undone(async () => {
      const { status, view, headers } = await ask({
        params,
        headers: as('ann', 'one'),
        body: await tip({ analysis: 'Fit again.', hidden: true }),
      });
      expect([status, view, headers.get('cache-control')]).toEqual([
        201,
        { reference: expect.stringMatching(/^[a-z0-9]{10}$/), publishedAt: worldNow.toISOString() },
        'no-store',
      ]);
      expect(await countTips()).toBe(1);
    })());

  test('sent twice under one key, publishes once and answers alike', () =>
    undone(async () => {
      const body = await tip();
      const [first, second] = [
        await ask({ params, headers: as('ann', 'one'), body }),
        await ask({ params, headers: as('ann', 'one'), body: { ...body, idempotencyKey: 'one' } }),
      ];
      expect([second.status, second.view]).toEqual([201, first.view]);
      expect(await countTips()).toBe(1);
      const other = await ask({ params, headers: as('ann', 'one'), body: await tip({ stakeHundredths: 200 }) });
      expect([other.status, other.refusal?.message]).toEqual([409, expect.stringContaining('idempotency key')]);
    })());

  test.each([[undefined], [''], ['two words'], ['é'], ['a'.repeat(101)]])(
    'refuses the key %j and says which header is meant',
    async (key) => {
      const { status, refusal } = await ask({ params, headers: as('ann', key), body: await tip() });
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['idempotency-key']]);
    },
  );

  /** A body that is held back in its middle while `meanwhile` comes to pass. */
  const heldBack = (body: object, meanwhile: () => Promise<void> | void) => {
    const text = JSON.stringify(body);
    const pieces = [text.slice(0, 20), text.slice(20)];
    return new ReadableStream(
      {
        async pull(controller) {
          if (pieces.length === 1) await meanwhile();
          controller.enqueue(new TextEncoder().encode(pieces.shift()));
          if (pieces.length === 0) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  };

  describe('held back in the middle of its body', () => {
    const lastSecond = new Date(start.getTime() - 1_000);
    const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000);

    afterEach(() => standAt(worldNow));

    test.each([0, 1, 12, 240, 300])(
      'until %d seconds after the start, is refused, and nothing is published',
      (seconds) =>
        undone(async () => {
          standAt(lastSecond);
          const late = await logIn(await openAccount('late', { confirmed: true }, worldNow), lastSecond);
          logins.late = late;
          const { reference } = await createPortfolio(
            await viewerOf(late, lastSecond),
            { name: 'Late shop' },
            lastSecond,
          );
          const body = heldBack(await tip(), () => standAt(after(seconds)));
          const { status, refusal } = await ask({ params: { reference }, headers: as('late', 'one'), body });
          expect([status, refusal?.message]).toEqual([
            409,
            'Athletic v Wanderers has started. Take it out of the tip.',
          ]);
          expect(await countTips()).toBe(0);
        })(),
    );

    test('until the price had moved, is answered with the price now', () =>
      undone(async () => {
        const quotes = { bet365: [1010, 3200, 3100] as [number, number, number] };
        const body = heldBack(await tip(), async () => {
          const at = new Date(worldNow.getTime() + 60_000);
          await importFixtures(
            [
              {
                line: 1,
                fixture: match('Athletic', 'Wanderers', start.toISOString(), {
                  markets: [matchResult('Athletic', 'Wanderers', at.toISOString(), quotes)],
                }),
              },
            ],
            'football-data',
            at,
          );
          standAt(new Date(worldNow.getTime() + 61_000));
        });
        const { status, refusal } = await ask({ params, headers: as('ann', 'one'), body });
        expect([status, refusal?.moved]).toMatchObject([409, [{ now: { oddsThousandths: 1010 } }]]);
        expect(await countTips()).toBe(0);
      })());

    test('but not past the start, is published with the moment at which it was judged', () =>
      undone(async () => {
        const judgedAt = new Date(worldNow.getTime() + 5_000);
        const { status, view } = await ask({
          params,
          headers: as('ann', 'one'),
          body: heldBack(await tip(), () => standAt(judgedAt)),
        });
        expect([status, view]).toMatchObject([201, { publishedAt: judgedAt.toISOString() }]);
      })());
  });

  test('answers 503 and when to come back while the clock stands before the last entry of the ledger', () =>
    undone(async () => {
      const tomorrow = new Date(worldNow.getTime() + 3_600_000);
      await sql`update ledger_head set at = ${tomorrow}`.execute(database());
      const logged = jest.spyOn(log, 'error').mockImplementation(() => undefined);
      const { status, refusal, headers } = await ask({ params, headers: as('ann', 'one'), body: await tip() });
      expect([status, headers.get('retry-after'), refusal?.message]).toEqual([
        503,
        '60',
        expect.stringContaining('Try again in a few minutes'),
      ]);
      expect(logged).toHaveBeenCalledWith({
        event: 'ledger_clock_behind',
        head: tomorrow.toISOString(),
        clock: worldNow.toISOString(),
      });
      logged.mockRestore();
      expect(await countTips()).toBe(0);
    })());

  test('answers a price that became shorter with the price now', () =>
    undone(async () => {
      const body = await tip();
      const quotes = { bet365: [2400, 3200, 3100] as [number, number, number] };
      await importFixtures(
        [
          {
            line: 2,
            fixture: match('Athletic', 'Wanderers', start.toISOString(), {
              markets: [matchResult('Athletic', 'Wanderers', '2026-03-10T11:00:00.000Z', quotes)],
            }),
          },
        ],
        'football-data',
        worldNow,
      );
      const { status, refusal } = await ask({ params, headers: as('ann', 'one'), body });
      expect([status, refusal?.moved]).toEqual([
        409,
        [expect.objectContaining({ fixtureReference: athletic, now: { oddsThousandths: 2400, fraction: null } })],
      ]);
      expect(await countTips()).toBe(0);
    })());

  test('refuses a tip on what has started', async () => {
    const body = await tip();
    standAt(start);
    const login = await logIn(
      ((await viewerOf(logins.ann as IssuedSession, worldNow)) as { accountId: number }).accountId,
      start,
    );
    const { status, refusal } = await ask({ params, headers: { ...bearer(login), 'idempotency-key': 'late' }, body });
    standAt(worldNow);
    expect([status, refusal?.message]).toEqual([409, expect.stringContaining('has started')]);
  });

  test.each([
    ['guest', 401],
    ['newcomer', 403],
    ['bob', 403],
    ['dan', 403],
  ])('refuses %s with %i', async (name, expected) => {
    const headers = name === 'guest' ? { 'idempotency-key': 'one' } : as(name, 'one');
    expect((await ask({ params, headers, body: await tip() })).status).toBe(expected);
    expect(await countTips()).toBe(0);
  });

  test.each([
    ['nobody', 'ann'],
    ['eve-alone', 'ann'],
  ])('says that %s is missing to %s', async (reference, name) => {
    expect((await ask({ params: { reference }, headers: as(name, 'one'), body: await tip() })).status).toBe(404);
  });

  test.each([
    ['no leg', { legs: [] }, 'legs'],
    ['a stake of 20 units', { stakeHundredths: 2_000 }, 'stakeHundredths'],
    ['an analysis with U+0000', { analysis: 'Fit\u0000again.' }, 'analysis'],
    ['an analysis with a control character', { analysis: 'Fit\u0007again.' }, 'analysis'],
    ['an analysis with half of a character', { analysis: 'Fit \ud83d again.' }, 'analysis'],
    ['an analysis that nobody sees', { analysis: '\u200b\u200b' }, 'analysis'],
    ['a field that no tip has', { publishedAt: '2020-01-01' }, 'body'],
  ])('refuses %s by its name', async (_, more, field) => {
    const { status, refusal } = await ask({ params, headers: as('ann', 'one'), body: await tip(more) });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [field]]);
  });
});
