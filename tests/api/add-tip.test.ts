import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility } from '@/lib/reference/schema/enumerations';
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
const as = (name: string, key?: string) => ({ ...bearer(logins[name] ?? { token: '' }), ...(key === undefined ? {} : { 'idempotency-key': key }) });
const params = { reference: 'ann-football' };
const tip = async (more: object = {}) => ({ legs: [await offer(athletic, 'match-result', 'home', 'bet365')], stakeHundredths: 100, ...more });

beforeAll(async () => {
  standAt(worldNow);
  for (const [name, portfolio] of Object.entries({ ann: 'Ann Football', dan: 'Dan Darts', eve: 'Eve alone', bob: null, newcomer: null })) {
    logins[name] = await logIn(await openAccount(name, { confirmed: name !== 'newcomer' }, worldNow), worldNow);
    const visibility = name === 'eve' ? PortfolioVisibility.personal : PortfolioVisibility.public;
    if (portfolio) await createPortfolio(await viewerOf(logins[name], worldNow), { name: portfolio, visibility }, worldNow);
  }
});

const countTips = async () => (await sql<{ count: number }>`select count(*)::int as count from tip`.execute(database())).rows[0]?.count;

describeCall('/user/portfolio/{reference}/tips/add-tip', 'POST', (ask) => {
  test('publishes a tip and answers 201 with its reference and the moment', () =>
    undone(async () => {
      const { status, view, headers } = await ask({ params, headers: as('ann', 'one'), body: await tip({ analysis: 'Fit again.', hidden: true }) });
      expect([status, view, headers.get('cache-control')]).toEqual([201, { reference: expect.stringMatching(/^[a-z0-9]{10}$/), publishedAt: worldNow.toISOString() }, 'no-store']);
      expect(await countTips()).toBe(1);
    })());

  test('sent twice under one key, publishes once and answers alike', () =>
    undone(async () => {
      const body = await tip();
      const [first, second] = [await ask({ params, headers: as('ann', 'one'), body }), await ask({ params, headers: as('ann', 'one'), body: { ...body, idempotencyKey: 'one' } })];
      expect([second.status, second.view]).toEqual([201, first.view]);
      expect(await countTips()).toBe(1);
      const other = await ask({ params, headers: as('ann', 'one'), body: await tip({ stakeHundredths: 200 }) });
      expect([other.status, other.refusal?.message]).toEqual([409, expect.stringContaining('idempotency key')]);
    })());

  test.each([[undefined], [''], ['two words'], ['é'], ['a'.repeat(101)]])('refuses the key %j and says which header is meant', async (key) => {
    const { status, refusal } = await ask({ params, headers: as('ann', key), body: await tip() });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['idempotency-key']]);
  });

  test('answers a price that became shorter with the price now', () =>
    undone(async () => {
      const body = await tip();
      const quotes = { bet365: [2400, 3200, 3100] as [number, number, number] };
      await importFixtures([{ line: 2, fixture: match('Athletic', 'Wanderers', start.toISOString(), { markets: [matchResult('Athletic', 'Wanderers', '2026-03-10T11:00:00.000Z', quotes)] }) }], 'football-data', worldNow);
      const { status, refusal } = await ask({ params, headers: as('ann', 'one'), body });
      expect([status, refusal?.moved]).toEqual([409, [expect.objectContaining({ fixtureReference: athletic, now: { oddsThousandths: 2400, fraction: null } })]]);
      expect(await countTips()).toBe(0);
    })());

  test('refuses a tip on what has started', async () => {
    const body = await tip();
    standAt(start);
    const login = await logIn((await viewerOf(logins.ann as IssuedSession, worldNow) as { accountId: number }).accountId, start);
    const { status, refusal } = await ask({ params, headers: { ...bearer(login), 'idempotency-key': 'late' }, body });
    standAt(worldNow);
    expect([status, refusal?.message]).toEqual([409, expect.stringContaining('has started')]);
  });

  test.each([['guest', 401], ['newcomer', 403], ['bob', 403], ['dan', 403]])('refuses %s with %i', async (name, expected) => {
    const headers = name === 'guest' ? { 'idempotency-key': 'one' } : as(name, 'one');
    expect((await ask({ params, headers, body: await tip() })).status).toBe(expected);
    expect(await countTips()).toBe(0);
  });

  test.each([['nobody', 'ann'], ['eve-alone', 'ann']])('says that %s is missing to %s', async (reference, name) => {
    expect((await ask({ params: { reference }, headers: as(name, 'one'), body: await tip() })).status).toBe(404);
  });

  test.each([
    ['no leg', { legs: [] }, 'legs'],
    ['a stake of 20 units', { stakeHundredths: 2_000 }, 'stakeHundredths'],
    ['a field that no tip has', { publishedAt: '2020-01-01' }, 'body'],
  ])('refuses %s by its name', async (_, more, field) => {
    const { status, refusal } = await ask({ params, headers: as('ann', 'one'), body: await tip(more) });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [field]]);
  });
});
