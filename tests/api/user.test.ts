import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import { defaultMaxStakeHundredths } from '@/lib/accounts/schema/user';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { defaultBuyCurrencyId } from '@/lib/reference/schema/currencies';
import { sendSample } from '@/lib/notifications/commands';
import { createPortfolio } from '@/lib/portfolios/commands';
import { listManagedPortfolios } from '@/lib/portfolios/queries';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { openShop } from '../support/members';
import { type Ask, describeCall, hostileTexts } from '../support/request';
import { worldNow } from '../support/world';

onTestDatabase();

const logins: Record<string, IssuedSession> = {};
const as = (name: string) => bearer(logins[name] ?? { token: '' });

beforeAll(async () => {
  standAt(worldNow);
  for (const name of ['bob', 'cat', 'newcomer', 'owner']) {
    const id = await openAccount(name, { confirmed: name !== 'newcomer' }, worldNow);
    logins[name] = await logIn(id, worldNow);
  }
  await openShop('ann', { name: 'Ann Football', visibility: PortfolioVisibility.premium }, worldNow);
  await openShop('eve', { name: 'Eve alone', visibility: PortfolioVisibility.personal }, worldNow);
  await createPortfolio(
    await viewerOf(logins.owner as IssuedSession, worldNow),
    { name: 'Owner tips', visibility: PortfolioVisibility.premium },
    worldNow,
  );
});

const hostileKeys = [
  ['nothing', ''],
  ['words', 'two words'],
  ['more than 100 characters', 'k'.repeat(101)],
  ['letters outside ASCII', 'clé'],
] as const;

describeCall('/user', 'GET', (ask) => {
  test('gives the user and the settings, to nobody else and kept by nobody', async () => {
    const { view, headers } = await ask({ headers: as('bob') });
    expect(view).toEqual({
      user: {
        username: 'bob',
        email: 'bob@example.org',
        countryId: 77,
        emailConfirmed: true,
        hasActivePremiumPortfolio: false,
        hasActiveSubscription: false,
        hasProMembership: false,
        affiliateReference: null,
      },
      settings: {
        maxStake: defaultMaxStakeHundredths / 100,
        betCurrencyId: 2,
        buyCurrencyId: defaultBuyCurrencyId,
        countryId: 77,
        timezoneId: expect.any(Number),
        oddsDisplayType: 'decimal',
      },
      portfolios: [],
      unread: 0,
      opens: [],
    });
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['private, no-store', null]);
  });

  test('tells of a premium portfolio, of a subscription that runs and of an address that is not confirmed', async () => {
    await sql`
      insert into membership (account_id, portfolio_id, starts_at, ends_at)
      select account.id, portfolio.id, ${worldNow}::timestamptz, ${worldNow}::timestamptz + interval '1 day' from account, portfolio where account.username = 'cat' and portfolio.reference = 'ann-football'
    `.execute(database());
    expect((await ask({ headers: as('owner') })).view).toMatchObject({
      user: { hasActivePremiumPortfolio: true, hasActiveSubscription: false },
    });
    expect((await ask({ headers: as('cat') })).view).toMatchObject({
      user: { hasActivePremiumPortfolio: false, hasActiveSubscription: true },
    });
    expect((await ask({ headers: as('newcomer') })).view).toMatchObject({ user: { emailConfirmed: false } });
  });

  test('tells in short of the portfolios that the user manages, of what opens, and of what was not read', async () => {
    const owner = await viewerOf(logins.owner as IssuedSession, worldNow);
    await sendSample(owner, 'app', [], worldNow);
    const [{ id, reference } = { id: 0, reference: '' }] = await listManagedPortfolios(owner, worldNow);
    expect((await ask({ headers: as('owner') })).view).toMatchObject({
      portfolios: [{ reference, name: 'Owner tips', type: 2, defaultTipStake: 1, sells: false }],
      unread: 1,
      opens: [id],
    });
  });
});

describeCall('/user', 'PUT', (ask) => {
  test('changes one setting and leaves the others', async () => {
    const before = (await ask({ body: { maxStake: 12.5 }, headers: as('bob') })).view as { settings: object };
    expect(before.settings).toMatchObject({ maxStake: 12.5, oddsDisplayType: 'decimal' });
    const after = (await ask({ body: { oddsDisplayType: 'US' }, headers: as('bob') })).view as { settings: object };
    expect(after.settings).toEqual({ ...before.settings, oddsDisplayType: 'US' });
  });

  test('changes all of them, and the country of the user with them', async () => {
    const settings = {
      maxStake: 0.5,
      betCurrencyId: 3,
      buyCurrencyId: 4,
      countryId: 1,
      timezoneId: 1,
      oddsDisplayType: 'fraction',
    };
    expect((await ask({ body: settings, headers: as('cat') })).view).toMatchObject({
      user: { countryId: 1 },
      settings,
    });
    expect(await viewerOf(logins.cat as IssuedSession, worldNow)).toMatchObject({ countryId: 1 });
  });

  test('shows units as the currency to pay in where they stand from before', async () => {
    await sql`update account set buy_currency_id = 2 where username = 'cat'`.execute(database());
    expect((await ask({ body: { maxStake: 3 }, headers: as('cat') })).view).toMatchObject({
      settings: { maxStake: 3, buyCurrencyId: 2 },
    });
  });

  test('refuses nothing to patch in the words of the specification', async () => {
    expect((await ask({ body: {}, headers: as('bob') })).refusal).toMatchObject({
      status: 400,
      message: expect.stringContaining('No user settings to patch'),
    });
  });

  test.each([
    ['maxStake', 0],
    ['maxStake', '10'],
    ['maxStake', 1e9],
    ['betCurrencyId', 9],
    ['buyCurrencyId', null],
    ['buyCurrencyId', 2],
    ['countryId', 251],
    ['timezoneId', 1.5],
    ['oddsDisplayType', 'roman'],
  ])('refuses %s %j by its name', async (name, value) => {
    const { status, refusal } = await ask({ body: { [name]: value }, headers: as('bob') });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [name]]);
  });

  test('named by a key is done once, however often it arrives; with another body the key is refused', async () => {
    const named = { ...as('owner'), 'idempotency-key': 'settings-of-a-train' };
    const first = await ask({ body: { maxStake: 4 }, headers: named });
    await ask({ body: { maxStake: 9 }, headers: as('owner') });
    expect((await ask({ body: { maxStake: 4 }, headers: named })).view).toEqual(first.view);
    expect((await ask({ body: { maxStake: 7 }, headers: named })).status).toBe(409);
    expect((await ask({ body: { oddsDisplayType: 'decimal' }, headers: as('owner') })).view).toMatchObject({
      settings: { maxStake: 9 },
    });
  });

  test.each(hostileKeys)('refuses %s as a key by its name', async (_, key) => {
    const { status, refusal } = await ask({
      body: { maxStake: 4 },
      headers: { ...as('owner'), 'idempotency-key': key },
    });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['idempotency-key']]);
  });

  test('does not let a user set anything else', async () => {
    expect((await ask({ body: { maxStake: 1, role: 1 }, headers: as('bob') })).status).toBe(400);
  });
});

describeCall('/user/export', 'GET', (ask) => {
  test('gives what is held, kept by nobody', async () => {
    const { view, headers } = await ask({ headers: { ...as('owner'), 'x-tipledger-address': '192.0.2.9' } });
    expect(view).toMatchObject({
      account: { username: 'owner', email: 'owner@example.org' },
      portfolios: [{ reference: 'owner-tips' }],
      sessions: [{ device: 'Test browser' }],
    });
    expect(headers.get('cache-control')).toBe('private, no-store');
  });
});

describeCall('/user/sessions', 'GET', (ask) => {
  test('lists the logins that hold, the present one marked', async () => {
    const id = await openAccount('lister', {}, worldNow);
    await logIn(id, new Date(worldNow.getTime() - 60_000));
    logins.lister = await logIn(id, worldNow);
    const { view } = await ask({ headers: as('lister') });
    expect((view as { current: boolean }[]).map(({ current }) => current)).toEqual([true, false]);
  });
});

describeCall('/user/sessions', 'DELETE', (ask) => {
  test('signs out everywhere, here too', async () => {
    const id = await openAccount('leaver', {}, worldNow);
    const [one, two] = [await logIn(id, worldNow), await logIn(id, worldNow)];
    const { view, headers } = await ask({ headers: bearer(one) });
    expect([view, headers.getSetCookie()[0]]).toEqual([{ done: true }, expect.stringContaining('Max-Age=0')]);
    for (const login of [one, two]) expect((await ask({ headers: bearer(login) })).status).toBe(401);
  });
});

describeCall('/user/portfolio', 'GET', (ask) => {
  test('lists the portfolios that the user manages, and nobody else’s', async () => {
    expect((await ask({ headers: as('owner') })).view).toMatchObject([
      { reference: 'owner-tips', type: PortfolioVisibility.premium, followers: 0, defaultTipStake: 1 },
    ]);
    expect((await ask({ headers: as('bob') })).view).toEqual([]);
  });
});

describeCall('/user/following', 'GET', (ask) => {
  test('lists what is followed with its max stake', async () => {
    expect((await ask({ headers: as('newcomer') })).view).toEqual([]);
    await sql`
      insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) select account.id, portfolio.id, 250, ${worldNow} from account, portfolio
      where account.username = 'owner' and portfolio.reference = 'ann-football'
    `.execute(database());
    expect((await ask({ headers: as('owner') })).view).toEqual([{ portfolioReference: 'ann-football', maxStake: 2.5 }]);
  });
});

const ann = { reference: 'ann-football' };

function isAboutAPortfolio(ask: Ask, body?: object): void {
  test.each(hostileTexts.filter(([, text]) => text !== ''))('refuses %s as a portfolio', async (_, reference) => {
    expect([400, 404]).toContain(
      (await ask({ params: { reference }, headers: as('bob'), ...(body ? { body } : {}) })).status,
    );
  });
}

describeCall('/user/following/{reference}', 'POST', (ask) => {
  isAboutAPortfolio(ask);

  test('follows, without a payload or with a max stake, and again is no more', async () => {
    expect((await ask({ params: ann, headers: as('cat'), body: { maxStake: 4 } })).view).toEqual({
      portfolioReference: 'ann-football',
      maxStake: 4,
    });
    expect((await ask({ params: ann, headers: as('cat') })).view).toEqual({
      portfolioReference: 'ann-football',
      maxStake: 4,
    });
  });

  test('named by a key follows once: sent again after an unfollow it is answered alike and follows nobody', async () => {
    const headers = { ...as('bob'), 'idempotency-key': 'follow-of-a-train' };
    const { view } = await ask({ params: ann, headers });
    await sql`delete from follow where account_id = (select id from account where username = 'bob')`.execute(
      database(),
    );
    expect((await ask({ params: ann, headers })).view).toEqual(view);
    const { rows } =
      await sql`select 1 from follow join account on account.id = account_id where username = 'bob'`.execute(
        database(),
      );
    expect(rows).toEqual([]);
  });

  test('is missing for what cannot be seen, refused for one’s own and before the address is confirmed', async () => {
    expect((await ask({ params: { reference: 'eve-alone' }, headers: as('bob') })).status).toBe(404);
    expect((await ask({ params: { reference: 'nobody' }, headers: as('bob') })).status).toBe(404);
    expect((await ask({ params: { reference: 'owner-tips' }, headers: as('owner') })).status).toBe(409);
    expect((await ask({ params: ann, headers: as('newcomer') })).status).toBe(403);
    expect((await ask({ params: ann, headers: as('bob'), body: { maxStake: -1 } })).refusal?.fields).toHaveProperty(
      'maxStake',
    );
  });
});

describeCall('/user/following/{reference}', 'PUT', (ask) => {
  isAboutAPortfolio(ask, { maxStake: 1 });

  test('sets the max stake of what is followed', async () => {
    expect((await ask({ params: ann, headers: as('cat'), body: { maxStake: 6.25 } })).view).toEqual({
      portfolioReference: 'ann-football',
      maxStake: 6.25,
    });
    expect((await ask({ params: ann, headers: as('bob'), body: { maxStake: 6.25 } })).status).toBe(404);
  });

  test('named by a key sets once, and refuses the key with another max stake', async () => {
    const headers = { ...as('cat'), 'idempotency-key': 'stake-of-a-train' };
    for (let count = 0; count < 2; count += 1)
      expect((await ask({ params: ann, headers, body: { maxStake: 1.5 } })).view).toMatchObject({ maxStake: 1.5 });
    expect((await ask({ params: ann, headers, body: { maxStake: 2.5 } })).status).toBe(409);
  });

  test.each([[{}], [{ maxStake: 0 }], [{ maxStake: '5' }], [{ maxStake: 1.001 }]])('refuses %j', async (body) => {
    expect((await ask({ params: ann, headers: as('cat'), body })).status).toBe(400);
  });
});

describeCall('/user/following/{reference}', 'DELETE', (ask) => {
  test('named by a key ends it once: a follow that came after stays', async () => {
    const headers = { ...as('cat'), 'idempotency-key': 'end-of-a-train' };
    await ask({ params: ann, headers });
    await sql`
      insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) select account.id, portfolio.id, 250, ${worldNow} from account, portfolio
      where account.username = 'cat' and portfolio.reference = 'ann-football'
    `.execute(database());
    expect((await ask({ params: ann, headers })).view).toEqual({ done: true });
    const { rows } =
      await sql`select 1 from follow join account on account.id = account_id where username = 'cat'`.execute(
        database(),
      );
    expect(rows).toHaveLength(1);
  });

  test('ends the following, and again does nothing', async () => {
    for (let count = 0; count < 2; count += 1)
      expect((await ask({ params: ann, headers: as('cat') })).view).toEqual({ done: true });
    const { rows } =
      await sql`select 1 from follow join account on account.id = account_id where username = 'cat'`.execute(
        database(),
      );
    expect(rows).toEqual([]);
  });
});

async function guidOfBob(): Promise<string> {
  await sql`
    insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) select account.id, portfolio.id, 100, ${worldNow} from account, portfolio
    where account.username = 'bob' and portfolio.reference = 'ann-football' on conflict do nothing
  `.execute(database());
  const { rows } = await sql<{
    guid: string;
  }>`select unsubscribe_guid as guid from follow join account on account.id = account_id where username = 'bob'`.execute(
    database(),
  );
  return rows[0]?.guid ?? '';
}

const oneClick = {
  body: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};

function stops(kind: 'tips' | 'posts') {
  return (ask: Ask): void => {
    test('stops them by the guid of a mail, without signing in, as a mail program asks (RFC 8058) and again', async () => {
      const guid = await guidOfBob();
      for (let count = 0; count < 2; count += 1) {
        const { status, view } = await ask({ params: ann, query: { guid }, ...oneClick });
        expect([status, (view as Record<string, boolean>)[kind]]).toEqual([200, false]);
      }
    });

    test('says that a guid of nothing is missing and refuses what is no guid', async () => {
      expect((await ask({ params: ann, query: { guid: '00000000-0000-4000-8000-000000000000' } })).status).toBe(404);
      expect((await ask({ params: ann, query: { guid: 'x' } })).refusal?.fields).toHaveProperty('guid');
      expect((await ask({ params: ann })).status).toBe(400);
      expect((await ask({ params: { reference: 'eve-alone' }, query: { guid: await guidOfBob() } })).status).toBe(404);
    });
  };
}

describeCall('/user/guid/unsubscribe/{reference}/tips', 'POST', stops('tips'));
describeCall('/user/guid/unsubscribe/{reference}/posts', 'POST', stops('posts'));
