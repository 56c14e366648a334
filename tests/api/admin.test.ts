import { sql } from 'kysely';
import { staffCoupons } from '@/lib/memberships/queries';
import { moneyCurrencies } from '@/lib/money/schema';
import { staffLists } from '@/lib/pages/staff-lists';
import { database } from '@/lib/platform/database';
import { Role } from '@/lib/reference/schema';
import { beginFactor } from '@/lib/staff/commands';
import { fromBase32, stepOf, totpCode } from '@/lib/staff/rules/totp';
import { type StaffAction, staffActions } from '@/lib/staff/schema';
import { staffActionNames } from '@/lib/staff/schema/actions';
import { bearer, logIn, openAccount, openStaff, proveStaff, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { onTestDatabase, undone } from '../support/database';
import { type Ask, describeCall, doors, hostileNumbers, request } from '../support/request';
import { buildStaffWorld, type StaffWorld } from '../support/staff-world';
import { worldNow } from '../support/world';

onTestDatabase();

type Headers = Record<string, string>;
const who: Record<'admin' | 'superAdmin' | 'member' | 'unproven' | 'suspended', Headers> = {
  admin: {},
  superAdmin: {},
  member: {},
  unproven: {},
  suspended: {},
};
let world: StaffWorld;
const reason = 'A test needs it.';

beforeAll(async () => {
  standAt(worldNow);
  world = await buildStaffWorld();
  who.admin = bearer((await openStaff('ada', Role.admin, worldNow)).session);
  who.superAdmin = bearer((await openStaff('sue', Role.superAdmin, worldNow)).session);
  const suspended = await openStaff('sam', Role.superAdmin, worldNow);
  await sql`insert into suspension (account_id, reason) values (${suspended.id}, 'A test.')`.execute(database());
  who.suspended = bearer(suspended.session);
  who.unproven = bearer(await logIn(await openAccount('una', { role: Role.superAdmin }, worldNow), worldNow));
  who.member = bearer(await logIn(world.bob, worldNow));
});

type Deed = {
  path: string;
  params: Record<string, string>;
  body?: Record<string, string>;
  /** What must have been done before. */
  after?: Exclude<StaffAction, 'user.export'>;
};

const onUser = (more: Omit<Deed, 'path' | 'params'> = {}): Deed => ({
  path: '/admin/users/{user}',
  params: { user: String(world.bob) },
  ...more,
});
const onPortfolio = (more: Omit<Deed, 'path' | 'params'> = {}): Deed => ({
  path: '/admin/portfolios/{portfolio}',
  params: { portfolio: world.portfolio },
  ...more,
});
const onFixture = (reference: string, body: Record<string, string>): Deed => ({
  path: '/admin/fixtures/{reference}',
  params: { reference },
  body,
});
const onPayout = (): Deed => ({ path: '/admin/payouts/{payout}', params: { payout: world.payout } });
const onDifference = (after?: Deed['after']): Deed => ({
  path: '/admin/reconciliation/{difference}',
  params: { difference: world.difference },
  ...(after && { after }),
});
const noAmounts = (word: string) =>
  Object.fromEntries(moneyCurrencies.map(({ code }) => [`${word}${code}`, ''])) as Record<string, string>;
const prices = { ...noAmounts('month'), ...noAmounts('year'), yearOnSale: 'false' };
const siteCoupon = {
  ...{ ...noAmounts('off'), code: 'spring', percent: '10', payments: '1', plan: '' },
  ...{ mostUses: '', onceEach: 'true', lastDay: '' },
};
const onTip = (after?: Deed['after']): Deed => ({
  path: '/admin/tips/{tip}',
  params: { tip: world.tip },
  ...(after && { after }),
});

const onNews = (path: string, params: Record<string, string>, after?: Deed['after']): Deed => ({
  path: `/admin/${path}`,
  params,
  ...(after && { after }),
});

// The file of a member and the second factor have calls of their own; texts, bookmakers and feeds are tried in staff-texts.test.ts.
const triedApart = [
  'user.export',
  'user.second-factor',
  'content.save',
  'content.restore',
  'content.take-off',
  'content.put-back',
  'content.withdraw',
  'bookmaker.edit',
  'help-line.edit',
  'feed.settings',
  'feed.run',
  'name.settle',
  'name.unsettle',
] as const satisfies readonly StaffAction[];

/** Each action as staff do it; an action without its line does not compile. */
const deeds: Record<Exclude<StaffAction, (typeof triedApart)[number]>, () => Deed> = {
  'user.suspend': onUser,
  'user.reinstate': () => onUser({ after: 'user.suspend' }),
  'user.message': () => onUser({ body: { title: 'Your question', body: 'It is answered.\n\nThank you.' } }),
  'user.revoke': onUser,
  'user.delete': onUser,
  'user.role': () => onUser({ body: { role: String(Role.admin) } }),
  'portfolio.hide': onPortfolio,
  'portfolio.show': () => onPortfolio({ after: 'portfolio.hide' }),
  'portfolio.feature': onPortfolio,
  'portfolio.unfeature': () => onPortfolio({ after: 'portfolio.feature' }),
  'portfolio.join-pro': onPortfolio,
  'portfolio.leave-pro': () => onPortfolio({ after: 'portfolio.join-pro' }),
  'tip.void': () => onTip(),
  'tip.settle': () => onTip('tip.void'),
  'fixture.start': () => onFixture(world.coming, { startsAt: '2026-03-15T12:30' }),
  'fixture.postpone': () => onFixture(world.coming, {}),
  'fixture.status': () => onFixture(world.played, { status: 'retry' }),
  'fixture.score': () => onFixture(world.played, { home: '2', away: '1', halfTimeHome: '', halfTimeAway: '' }),
  'fixture.placings': () => onFixture(world.runRace, { placings: '1 tin whistle\n2 Slow Air' }),
  'fixture.abandon': () => onFixture(world.played, { home: '', away: '' }),
  'fixture.end': () => onFixture(world.played, { ending: 'walkover', home: '', away: '', sets: '' }),
  'fixture.withdraw': () => onFixture(world.race, { runner: 'Slow Air', at: '2026-03-10T09:00', odds: '4.5' }),
  'fixture.reinstate': () => ({ ...onFixture(world.race, { runner: 'Slow Air' }), after: 'fixture.withdraw' }),
  'job.run': () => ({ path: '/admin/jobs/{job}', params: { job: 'prune-mails' } }),
  'payout.approve': onPayout,
  'payout.refuse': onPayout,
  'difference.settle': () => onDifference(),
  'difference.reopen': () => onDifference('difference.settle'),
  'order.refund': () => ({
    path: '/admin/orders/{order}',
    params: { order: world.order },
    body: { amountMinor: '500', ends: 'true' },
  }),
  'coupon.create': () => ({ path: '/admin/coupons', params: {}, body: siteCoupon }),
  'coupon.end': () => ({ path: '/admin/coupons/{code}', params: { code: 'SPRING' }, body: {}, after: 'coupon.create' }),
  'pro.prices': () => ({
    path: '/admin/pro',
    params: {},
    body: { ...prices, seen: '', monthOnSale: 'true', monthGBP: '49.00' },
  }),
  'tax.rate': () => ({ path: '/admin/tax-rates', params: {}, body: { country: 'GB', percent: '20', from: '' } }),
  'affiliates.fees': () => ({
    path: '/admin/affiliates',
    params: {},
    body: { ...noAmounts('fee'), seen: '', feeGBP: '5' },
  }),
  'delivery.retry': () => onNews('notifications/{delivery}', { delivery: world.news.failed }),
  'delivery.give-up': () => onNews('notifications/{delivery}', { delivery: world.news.waiting }),
  'webhook.retry': () => onNews('webhooks/{delivery}', { delivery: world.news.webhook }),
  'webhook.give-up': () => onNews('webhooks/{delivery}', { delivery: world.news.webhook }, 'webhook.retry'),
  'mail.retry': () => onNews('mails/{mail}', { mail: world.news.mail }),
  'mail.give-up': () => onNews('mails/{mail}', { mail: world.news.mail }, 'mail.retry'),
  'bounce.stop': () => ({ ...onNews('bounces', {}), body: { address: 'Bob@example.org' } }),
  'bounce.lift': () => onNews('bounces/{bounce}', { bounce: world.news.bounce }),
  'event.spread': () => onNews('news-events/{event}', { event: world.news.spread }),
  'event.give-up': () => onNews('news-events/{event}', { event: world.news.unspread }),
};
const names = Object.keys(deeds) as (keyof typeof deeds)[];

// The result of the tip's fixture is to come: what settles it anew waits for that.
const undecided: readonly StaffAction[] = ['tip.settle'];

async function order(name: keyof typeof deeds, headers: Headers, more: Record<string, unknown> = {}) {
  const { path, params, body } = deeds[name]();
  const call = doors[path]?.POST;
  if (!call) throw new Error(`There is no call ${path}.`);
  return request(call, path, { params, headers, body: { ...body, action: name, reason, ...more } }, 'POST');
}

async function prepare(name: keyof typeof deeds): Promise<void> {
  const { after } = deeds[name]();
  if (after && after in deeds) expect((await order(after as keyof typeof deeds, who.superAdmin)).status).toBe(200);
}

const entries = async () =>
  (
    await sql<{ action: string; reason: string }>`select action, reason from staff_action order by id`.execute(
      database(),
    )
  ).rows;

describe('the matrix of what staff do', () => {
  test('has a line for every action, and no other', () => {
    expect([...names, ...triedApart].toSorted()).toEqual(staffActionNames.toSorted());
  });

  test.each(names)('%s is done for a reason, written down, and only tried as a preview', (name) =>
    undone(async () => {
      await prepare(name);
      const before = (await entries()).length;
      const tried = await order(name, who.superAdmin, { preview: 'true', reason: '' });
      if (undecided.includes(name)) return expect([tried.status, (await entries()).length]).toEqual([409, before]);
      expect([tried.status, tried.view]).toEqual([200, expect.objectContaining({ entry: null })]);
      expect((await order(name, who.superAdmin, { reason: ' ' })).status).toBe(400);
      expect((await entries()).length).toBe(before);
      const done = await order(name, who.superAdmin);
      expect([done.status, done.text]).toEqual([200, expect.not.stringContaining('"entry":null')]);
      expect((await entries()).slice(before)).toEqual([{ action: name, reason }]);
    })(),
  );

  test.each(names)('%s is refused to everybody else, and nothing is written', (name) =>
    undone(async () => {
      await prepare(name);
      const before = (await entries()).length;
      const statuses = [
        (await order(name, {})).status,
        (await order(name, who.member)).status,
        (await order(name, who.unproven)).status,
        (await order(name, who.suspended)).status,
      ];
      expect(statuses).toEqual([401, 403, 403, 403]);
      if (staffActions[name].rank === 'super-admin') expect((await order(name, who.admin)).status).toBe(403);
      expect((await entries()).length).toBe(before);
    })(),
  );

  test.each(names)('%s twice is refused the second time or is two entries', (name) =>
    undone(async () => {
      if (undecided.includes(name)) return;
      await prepare(name);
      await order(name, who.superAdmin);
      const before = (await entries()).length;
      const again = await order(name, who.superAdmin);
      expect((await entries()).length).toBe(before + (again.status === 200 ? 1 : 0));
      expect([200, 400, 404, 409]).toContain(again.status);
    })(),
  );
});

/** What every call of staff about one thing refuses: bodies that say nothing of use, and things that are not there. */
function refusesNonsense(ask: Ask, params: () => Record<string, string>, elsewhere: Record<string, string>[]): void {
  test('refuses a body that orders nothing, and what there is not', async () => {
    for (const body of [{}, { action: 'nothing', reason }, { action: 'user.suspend; drop', reason }, 'no JSON'])
      expect((await ask({ params: params(), body, headers: who.admin })).status).toBe(400);
    for (const there of elsewhere)
      expect([400, 404]).toContain((await ask({ params: there, body: { reason }, headers: who.admin })).status);
  });
}

describeCall('/admin/users/{user}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ user: String(world.bob) }), [{ user: '0' }, { user: 'bob' }]);

  test.each(hostileNumbers)('takes no %s for a number', async (_, user) => {
    const body = { action: 'user.suspend', reason };
    expect((await ask({ params: { user }, body, headers: who.admin })).status).toBe(400);
  });

  test('knows no account that is not there', async () => {
    const body = { action: 'user.suspend', reason };
    expect((await ask({ params: { user: '999999' }, body, headers: who.admin })).status).toBe(404);
  });

  test(
    'keeps a suspended member from writing, and lets them read, sign out and leave',
    undone(async () => {
      await order('user.suspend', who.admin);
      const at = (path: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', params = {}) => {
        const call = doors[path]?.[method];
        if (!call) throw new Error(`There is no call ${path}.`);
        return request(call, path, { params, headers: who.member, body: method === 'PUT' ? {} : undefined }, method);
      };
      expect((await at('/user', 'GET')).status).toBe(200);
      expect((await at('/user', 'PUT')).refusal?.message).toContain('suspended');
      expect((await at('/user/following/{reference}', 'POST', { reference: world.portfolio })).status).toBe(403);
      expect((await at('/account/delete', 'DELETE')).status).toBe(200);
    }),
  );

  test(
    'resets a second factor, for super admins',
    undone(async () => {
      const { id, viewer } = await openStaff('tim', Role.admin, worldNow);
      await beginFactor(viewer);
      await sql`update staff_factor set confirmed_at = ${worldNow} where account_id = ${id}`.execute(database());
      const sent = { params: { user: String(id) }, body: { action: 'user.second-factor', reason } };
      expect((await ask({ ...sent, headers: who.admin })).status).toBe(403);
      expect((await ask({ ...sent, headers: who.superAdmin })).status).toBe(200);
      expect(await entries()).toEqual([{ action: 'user.second-factor', reason }]);
    }),
  );
});

describeCall('/admin/users/{user}/export', 'POST', (ask) => {
  test(
    'gives what is held on a member for a reason, and the log says so',
    undone(async () => {
      const params = { user: String(world.bob) };
      expect((await ask({ params, body: { reason: '' }, headers: who.admin })).status).toBe(400);
      expect((await ask({ params, body: { reason }, headers: who.unproven })).status).toBe(403);
      expect((await ask({ params: { user: '999999' }, body: { reason }, headers: who.admin })).status).toBe(404);
      const { status, view } = await ask({ params, body: { reason }, headers: who.admin });
      expect([status, view]).toEqual([
        200,
        expect.objectContaining({ account: expect.objectContaining({ username: 'bob' }) }),
      ]);
      expect(await entries()).toEqual([{ action: 'user.export', reason }]);
    }),
  );
});

describeCall('/admin/portfolios/{portfolio}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ portfolio: world.portfolio }), [{ portfolio: 'nobody-here' }]);
});

describeCall('/admin/tips/{tip}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ tip: world.tip }), [{ tip: 'nothing' }]);

  test(
    'shows what voiding changes of the portfolio, and leaves it undone',
    undone(async () => {
      const { view } = await order('tip.void', who.admin, { preview: true });
      expect(view).toEqual({
        entry: null,
        mark: expect.stringMatching(/^[0-9a-f]{64}$/),
        before: expect.objectContaining({ outcome: 'open', 'version of the settlement': null }),
        after: expect.objectContaining({ outcome: 'void', 'version of the settlement': 1 }),
        effects: expect.objectContaining({
          tips: [expect.objectContaining({ before: null, after: { outcome: 'void', profitHundredths: 0 } })],
        }),
      });
      const { rows } = await sql`select 1 from tip_settlement`.execute(database());
      expect(rows).toEqual([]);
    }),
  );
});

describeCall('/admin/fixtures/{reference}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ reference: world.played }), [{ reference: 'nobody-v-noone' }]);

  test.each([
    ['a score before the start', () => world.coming, { action: 'fixture.score', home: '1', away: '0' }, 409],
    ['no score', () => world.played, { action: 'fixture.score', home: '', away: '' }, 400],
    ['a day that is none', () => world.coming, { action: 'fixture.start', startsAt: '2026-13-45T12:00' }, 400],
    [
      'a runner who is not in it',
      () => world.race,
      { action: 'fixture.withdraw', runner: 'Nobody', at: '2026-03-10T09:00' },
      400,
    ],
    [
      'a withdrawal to come',
      () => world.race,
      { action: 'fixture.withdraw', runner: 'Slow Air', at: '2026-03-11T09:00' },
      400,
    ],
    ['placings of no race', () => world.played, { action: 'fixture.placings', placings: '1 Town' }, 409],
    ['placings of others', () => world.runRace, { action: 'fixture.placings', placings: '1 Nobody' }, 400],
    [
      'a runner that is placed twice',
      () => world.runRace,
      { action: 'fixture.placings', placings: '1 Tin Whistle\n2 tin whistle' },
      400,
    ],
    [
      'a place that a dead heat leaves out',
      () => world.runRace,
      { action: 'fixture.placings', placings: '1 Tin Whistle\n2 Slow Air\n2 Old Ferry\n3 North Wall' },
      400,
    ],
    [
      'the reinstatement of a runner that was not withdrawn',
      () => world.race,
      { action: 'fixture.reinstate', runner: 'Slow Air' },
      400,
    ],
    ['a withdrawal without its time', () => world.race, { action: 'fixture.withdraw', runner: 'Slow Air' }, 400],
    ['a score of a race', () => world.runRace, { action: 'fixture.score', home: '1', away: '0' }, 409],
  ])('refuses %s', async (_, reference, body, status) => {
    const answer = await ask({ params: { reference: reference() }, body: { ...body, reason }, headers: who.admin });
    expect([answer.status, answer.refusal?.message]).toEqual([status, expect.stringMatching(/\S/)]);
  });

  const send = (reference: string, body: Record<string, string>) =>
    ask({ params: { reference }, body: { ...body, reason }, headers: who.admin });

  test.each([
    ['10/3', [4330, 10, 3]],
    ['4.333', [4330, 10, 3]],
    ['4.33', [4330, 10, 3]],
    ['1.833', [1830, 5, 6]],
    ['1.571', [1570, 4, 7]],
    ['1.444', [1440, 4, 9]],
    ['1.333', [1330, 1, 3]],
    ['evens', [2000, 1, 1]],
    ['4.4', [4400, null, null]],
    ['', [null, null, null]],
  ])('keeps the last price %p of a withdrawn runner as it was quoted', (odds, kept) =>
    undone(async () => {
      const at = '2026-03-10T09:00';
      expect((await send(world.race, { action: 'fixture.withdraw', runner: 'Slow Air', at, odds })).status).toBe(200);
      const { rows } = await sql<Record<string, number | null>>`
        select withdrawal_thousandths, withdrawal_numerator, withdrawal_denominator from runner join fixture on fixture.id = fixture_id
        where reference = ${world.race} and withdrawn_at = '2026-03-10T09:00:00Z'
      `.execute(database());
      expect(rows.map((row) => Object.values(row))).toEqual([kept]);
    })(),
  );

  test.each(['10/0', '1', '0.5', '1/1001', '1001.5', 'ten to three', '4,5'])(
    'names the field where it takes no %p for a price',
    async (odds) => {
      const order = { action: 'fixture.withdraw', runner: 'Slow Air', at: '2026-03-10T09:00', odds };
      const { status, refusal } = await send(world.race, order);
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['odds']]);
    },
  );

  test(
    'knows as many places as are told without a gap, and no place of a runner that was withdrawn',
    undone(async () => {
      const place = (...lines: string[]) =>
        send(world.runRace, { action: 'fixture.placings', placings: lines.join('\n') });
      const known = async () =>
        (
          await sql<{ known: number }>`
            select places_known as known from fixture_result join fixture on fixture.id = fixture_id where reference = ${world.runRace} order by version
          `.execute(database())
        ).rows.map((row) => row.known);
      const gone = { action: 'fixture.withdraw', at: '2026-03-09T14:00', odds: '2/1' };
      expect((await place('1 Tin Whistle', '3 Slow Air')).status).toBe(200);
      expect((await place('1 Tin Whistle', '2 Slow Air', '2 Old Ferry')).status).toBe(200);
      expect((await place('1 Tin Whistle', '2 Slow Air')).status).toBe(200);
      expect(await known()).toEqual([1, 3, 2]);
      expect((await send(world.runRace, { ...gone, runner: 'Slow Air' })).status).toBe(409);
      expect((await send(world.runRace, { ...gone, runner: 'Old Ferry' })).status).toBe(200);
      const { status, refusal } = await place('1 Tin Whistle', '2 Slow Air', '3 Old Ferry');
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['placings']]);
    }),
  );

  test(
    'keeps each result as a version beside the others',
    undone(async () => {
      await order('fixture.score', who.admin);
      await order('fixture.abandon', who.admin);
      const { rows } = await sql`
        select version, home_score, abandoned, fixture_result.source from fixture_result join fixture on fixture.id = fixture_id where reference = ${world.played} order by version
      `.execute(database());
      expect(rows).toEqual([
        { version: 1, home_score: 2, abandoned: false, source: 'staff' },
        { version: 2, home_score: null, abandoned: true, source: 'staff' },
      ]);
    }),
  );
});

describeCall('/admin/jobs/{job}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ job: 'prune-mails' }), [{ job: 'no-such-job' }]);

  test('knows no job that is not there', async () => {
    const body = { action: 'job.run', reason };
    expect((await ask({ params: { job: 'no-such-job' }, body, headers: who.admin })).status).toBe(404);
  });
});

describeCall('/admin/orders/{order}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ order: world.order }), [{ order: 'none' }]);

  test(
    'gives back in parts up to what was paid, and the books agree',
    undone(async () => {
      const refund = (amountMinor: string, ends = 'false', more = {}) =>
        order('order.refund', who.admin, { amountMinor, ends, ...more });
      expect((await refund('2001')).status).toBe(400);
      expect((await refund('100', 'false', { seen: 'nothing' })).status).toBe(400);
      expect((await refund('1500', 'false', { seen: '0' })).status).toBe(200);
      expect((await refund('100', 'false', { seen: '0' })).status).toBe(409);
      expect((await refund('501')).status).toBe(400);
      expect((await refund('', 'true')).status).toBe(200);
      expect((await refund('')).status).toBe(409);
      const { rows } =
        await sql`select sum(amount_minor)::int as given, (select count(*)::int from membership where ended_at is null) as running from refund`.execute(
          database(),
        );
      expect(rows).toEqual([{ given: 2000, running: 0 }]);
    }),
  );
});

describeCall('/admin/tax-rates', 'POST', (ask) => {
  refusesNonsense(ask, () => ({}), []);

  test.each([
    ['country', { country: 'ZZ' }],
    ['country', { country: "GB'; drop table tax_rate" }],
    ['percent', { percent: '' }],
    ['percent', { percent: '-1' }],
    ['percent', { percent: '100.1' }],
    ['percent', { percent: '1e3' }],
    ['from', { from: 'soon' }],
    ['from', { from: '2026-13-45T12:00' }],
    ['from', { from: '2026-03-01T00:00' }],
  ])('names the field %s where it refuses %j', async (field, more) => {
    const body = { action: 'tax.rate', reason, country: 'GB', percent: '20', from: '', ...more };
    const { status, refusal } = await ask({ headers: who.superAdmin, body });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [field]]);
  });
});

describeCall('/admin/coupons', 'POST', (ask) => {
  refusesNonsense(ask, () => ({}), []);
  const send = (more: object) =>
    ask({ headers: who.admin, body: { ...siteCoupon, action: 'coupon.create', reason, ...more } });

  test.each([
    ['percent', { percent: '' }],
    ['percent', { offGBP: '5' }],
    ['percent', { percent: '', offGBP: '5', offEUR: '5' }],
    ['percent', { percent: '101' }],
    ['percent', { percent: '0' }],
    ['percent', { percent: '1.5' }],
    ['offGBP', { percent: '', offGBP: '0' }],
    ['code', { code: 'no' }],
    ['code', { code: 'a space' }],
    ['payments', { payments: '61' }],
    ['plan', { plan: 'day' }],
    ['mostUses', { mostUses: '-1' }],
    ['lastDay', { lastDay: 'soon' }],
    ['endsAt', { lastDay: '2026-03-01' }],
    ['onceEach', { onceEach: undefined }],
  ])('names the field %s where it refuses %j', async (field, more) => {
    const { status, refusal } = await send(more);
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [field]]);
  });

  test(
    'makes one that is shown in its list, and no second one of its code',
    undone(async () => {
      expect((await send({ percent: '', offGBP: '5', lastDay: '2026-04-01', plan: 'month' })).view).toMatchObject({
        after: { Code: 'SPRING', Discount: '£5.00 off the first payment', Plans: 'month' },
      });
      expect((await send({})).refusal?.fields).toEqual({ code: 'was used before' });
      const { viewer } = await openStaff('tess', Role.admin, worldNow);
      const { rows } = await staffCoupons.read(viewer, {
        q: 'spring',
        chosen: { state: 'running' },
        after: null,
        limit: 5,
      });
      expect(rows).toMatchObject([
        { code: 'SPRING', amountMinor: 500, plans: ['month'], uses: 0, endsAt: '2026-04-02T00:00:00.000Z' },
      ]);
    }),
  );
});

describeCall('/admin/coupons/{code}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ code: 'SPRING' }), [{ code: 'NONE' }, { code: 'a b' }]);
});

describeCall('/admin/payouts/{payout}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ payout: world.payout }), [{ payout: 'none' }]);

  test(
    'is decided once, never by its owner, and for one of staff by a super admin alone',
    undone(async () => {
      await sql`update account set role = ${Role.admin} where username = 'ann'`.execute(database());
      const { rows } = await sql<{ id: number }>`select id from account where username = 'ann'`.execute(database());
      const own = await logIn(rows[0]?.id ?? 0, worldNow);
      await proveStaff(own, worldNow);
      expect((await order('payout.approve', bearer(own))).status).toBe(403);
      expect((await order('payout.approve', who.admin)).status).toBe(403);
      expect((await order('payout.approve', who.superAdmin)).status).toBe(200);
      expect((await order('payout.refuse', who.superAdmin)).status).toBe(409);
    }),
  );
});

describeCall('/admin/reconciliation/{difference}', 'POST', (ask) => {
  refusesNonsense(ask, () => ({ difference: world.difference }), [{ difference: 'x' }, { difference: '999' }]);

  test(
    'is settled once, and opened again',
    undone(async () => {
      expect((await order('difference.reopen', who.admin)).status).toBe(409);
      expect((await order('difference.settle', who.admin)).status).toBe(200);
      expect((await order('difference.settle', who.admin)).status).toBe(409);
      expect((await order('difference.reopen', who.admin)).status).toBe(200);
    }),
  );
});

describeCall('/admin/lists/{list}', 'GET', (ask) => {
  test('gives each list as CSV to staff, and to nobody else', async () => {
    for (const { name, columns } of staffLists) {
      const { status, text, headers } = await ask({ params: { list: name }, headers: who.admin });
      expect([name, status, text.split('\r\n')[0]]).toEqual([name, 200, columns.map(({ title }) => title).join(',')]);
      expect(headers.get('cache-control')).toContain('no-store');
      expect((await ask({ params: { list: name }, headers: who.member })).status).toBe(403);
    }
    expect((await ask({ params: { list: 'nothing' }, headers: who.admin })).status).toBe(404);
  });

  test('holds no code, key, text or secret of what is on its way', async () => {
    for (const name of ['notifications', 'mails', 'bounces', 'webhooks', 'news-events']) {
      const { text } = await ask({ params: { list: name }, headers: who.admin });
      expect([name, text.trim().split('\r\n').length > 1]).toEqual([name, true]);
      expect(text).not.toMatch(/123456|a-key-in-the-path|whsec|In secret|A word|"secret"/);
    }
  });

  test('narrows as its page does, and leaves out what it cannot mean', async () => {
    const rows = async (query: Record<string, string>) =>
      (await ask({ params: { list: 'users' }, query, headers: who.admin })).text.trim().split('\r\n').length - 1;
    expect(await rows({ q: 'bob' })).toBe(1);
    expect(await rows({ role: 'everything', after: '’’', nothing: '1' })).toBe(await rows({}));
  });
});

describe('the second factor', () => {
  const enter = async () => {
    const session = await logIn(await openAccount('tia', { role: Role.admin }, worldNow), worldNow);
    return { headers: bearer(session), viewer: await viewerOf(session, worldNow) };
  };
  const codeOf = (key: string, at: Date) => totpCode(fromBase32(key), stepOf(at));
  const knock = (path: string, headers: Headers, body?: unknown) => {
    const call = doors[path]?.POST;
    if (!call) throw new Error(`There is no call ${path}.`);
    return request(call, path, { headers, ...(body === undefined ? {} : { body }) }, 'POST');
  };

  test(
    'opens what is for staff once it was set up',
    undone(async () => {
      const { headers } = await enter();
      expect((await knock('/admin/jobs/{job}', headers, {})).status).toBe(403);
      const { key } = (await knock('/admin/second-factor/begin', headers)).view as { key: string };
      const { status } = await knock('/admin/second-factor/confirm', headers, { code: await codeOf(key, worldNow) });
      expect(status).toBe(200);
      const call = doors['/admin/lists/{list}']?.GET;
      if (call)
        expect((await request(call, '/admin/lists/{list}', { params: { list: 'log' }, headers })).status).toBe(200);
    }),
  );
});

describeCall('/admin/second-factor', 'POST', (ask) => {
  test('takes codes that are some, of staff who have a factor', async () => {
    for (const code of ['', 'abc', '12345', '1'.repeat(500)])
      expect((await ask({ body: { code }, headers: who.unproven })).status).toBe(400);
    expect((await ask({ body: { code: '123456' }, headers: who.unproven })).status).toBe(409);
    expect((await ask({ body: { code: '123456' }, headers: who.member })).status).toBe(403);
  });
});

describeCall('/admin/second-factor/begin', 'POST', (ask) => {
  test(
    'gives staff without a factor a key, another each time',
    undone(async () => {
      const keys = [await ask({ headers: who.unproven }), await ask({ headers: who.unproven })];
      expect(keys.map(({ status }) => status)).toEqual([200, 200]);
      expect(keys[0]?.text).not.toBe(keys[1]?.text);
      expect((await ask({ headers: who.member })).status).toBe(403);
    }),
  );
});

describeCall('/admin/second-factor/confirm', 'POST', (ask) => {
  test('refuses a code where nothing was begun, and whoever is not staff', async () => {
    expect((await ask({ body: { code: '123456' }, headers: who.unproven })).status).toBe(409);
    expect((await ask({ body: { code: '123456' }, headers: who.member })).status).toBe(403);
    expect((await ask({ body: {}, headers: who.unproven })).status).toBe(400);
  });
});
