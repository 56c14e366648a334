import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import { setAutobetRule } from '@/lib/bets/commands';
import { autobetRuleViewSchema, autobetsSchema, autobetTotalsSchema } from '@/lib/bets/schema';
import { database } from '@/lib/platform/database';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { openShop } from '../support/members';
import { createPortfolio } from '@/lib/portfolios/commands';
import { describeCall, hostileNumbers } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const logins: Record<string, IssuedSession> = {};
const as = (name: string) => bearer(logins[name] ?? { token: '' });
let ann: string;
let own: string;

beforeAll(async () => {
  standAt(worldNow);
  for (const name of ['cat', 'newcomer', 'tipster']) {
    const id = await openAccount(name, { confirmed: name !== 'newcomer' }, worldNow);
    logins[name] = await logIn(id, worldNow);
  }
  ann = (await openShop('ann', { name: 'Ann Football' }, worldNow)).reference;
  const tipster = await viewerOf(logins.tipster ?? { cookie: '' }, worldNow);
  own = (await createPortfolio(tipster, { name: 'Tipster', visibility: PortfolioVisibility.public }, worldNow))
    .reference;
});

const rule = (more: object = {}) => ({
  enabled: true,
  unitMinor: 500,
  mostMinor: 5_000,
  currencyId: CurrencyId.GBP,
  ...more,
});

describeCall('/user/autobets', 'GET', (ask) => {
  test(
    'lists nobody’s rules but one’s own',
    undone(async () => {
      expect((await ask({ headers: as('cat') })).view).toEqual({ rules: [], latest: [] });
    }),
  );

  test('is for members', async () => {
    expect((await ask({})).status).toBe(401);
    expect(autobetsSchema.safeParse((await ask({ headers: as('newcomer') })).view).success).toBe(true);
  });
});

describeCall('/user/autobets/{reference}', 'PUT', (ask) => {
  const set = (body: unknown, name = 'cat', reference = ann) => ask({ params: { reference }, headers: as(name), body });

  test(
    'sets a rule and changes it, one for each tipster',
    undone(async () => {
      expect((await set(rule())).view).toMatchObject({
        portfolioReference: ann,
        enabled: true,
        sports: [],
        recorded: 0,
      });
      const changed = await set(rule({ enabled: false, sports: ['football', 'golf'], leastOddsThousandths: 1_500 }));
      expect(autobetRuleViewSchema.parse(changed.view)).toMatchObject({
        enabled: false,
        sports: ['football', 'golf'],
        leastOddsThousandths: 1_500,
      });
    }),
  );

  test.each([
    [rule({ unitMinor: 0 }), 'unitMinor'],
    [rule({ mostMinor: 49 }), 'mostMinor'],
    [rule({ leastOddsThousandths: 1_000 }), 'leastOddsThousandths'],
    [rule({ sports: ['quidditch'] }), 'sports.0'],
    [rule({ currencyId: 9 }), 'currencyId'],
    ...hostileNumbers.map((unitMinor): [unknown, string] => [rule({ unitMinor }), 'unitMinor']),
  ])('refuses %j by its field', async (body, field) => {
    const { status, refusal } = await set(body);
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, expect.arrayContaining([field])]);
  });

  test('is refused for a tipster who is not there, a guest, and an address that is not confirmed', async () => {
    expect((await set(rule(), 'cat', 'nobody-at-all')).status).toBe(404);
    expect((await ask({ params: { reference: ann }, body: rule() })).status).toBe(401);
    expect((await set(rule(), 'newcomer')).status).toBe(403);
  });
});

describeCall('/user/autobets/{reference}', 'DELETE', (ask) => {
  test('is refused where there is no rule', async () => {
    expect((await ask({ params: { reference: ann }, headers: as('cat') })).status).toBe(404);
  });

  test(
    'is answered again where its answer was lost, and leaves a rule that was set since',
    undone(async () => {
      const set = async () =>
        setAutobetRule(await viewerOf(logins.cat ?? { cookie: '' }, worldNow), ann, rule(), worldNow);
      const remove = () => ask({ params: { reference: ann }, headers: { ...as('cat'), 'idempotency-key': 'remove' } });
      await set();
      for (const _ of [1, 2]) expect((await remove()).status).toBe(200);
      await set();
      expect((await remove()).status).toBe(200);
      const { rows } = await sql`select from autobet_rule`.execute(database());
      expect(rows).toHaveLength(1);
    }),
  );
});

describeCall('/user/portfolio/{reference}/autobets', 'GET', (ask) => {
  test('gives totals to the owner alone', async () => {
    const totals = autobetTotalsSchema.parse((await ask({ params: { reference: own }, headers: as('tipster') })).view);
    expect(totals).toEqual({ rules: 0, week: { recorded: 0, missed: [] }, all: { recorded: 0, missed: [] } });
    expect((await ask({ params: { reference: own }, headers: as('cat') })).status).toBe(403);
    expect((await ask({ params: { reference: own } })).status).toBe(401);
  });
});
