import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { deleteAccount, followPortfolio } from '@/lib/accounts/commands';
import { exportUser, getUserForStaff } from '@/lib/accounts/queries';
import { placeBet, setAutobetRule } from '@/lib/bets/commands';
import { listAutobets, listBets } from '@/lib/bets/queries';
import { betFilterSchema } from '@/lib/bets/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { member } from '@/lib/http/viewer';
import { placeAutobets } from '@/lib/jobs/autobets';
import {
  cancelMembership,
  expireOrders,
  keepMembership,
  readOrder,
  reconcilePayments,
  refundMembership,
  remindMembers,
  renewMemberships,
  setPlans,
  startCheckout,
  takeBreak,
} from '@/lib/memberships/commands';
import { listMemberships } from '@/lib/memberships/queries';
import type { OrderView } from '@/lib/memberships/schema';
import { chooseOutcome, setProvider } from '@/lib/money/commands';
import { sandbox } from '@/lib/money/commands/sandbox';
import type { PlansInput } from '@/lib/memberships/schema/plans';
import { listBookProblems } from '@/lib/money/queries';
import type { SandboxOutcome } from '@/lib/money/schema';
import { offeredChannels, sendDigests, sendDueNews, spreadNews } from '@/lib/notifications/commands';
import { listNotifications } from '@/lib/notifications/queries';
import { getPause } from '@/lib/pauses/queries';
import type { PauseLength } from '@/lib/pauses/schema';
import { database, transact } from '@/lib/platform/database';
import { listWaitingMails } from '@/lib/platform/mail';
import { decidedAt, decisionMoment } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import type { TipInput } from '@/lib/tips/schema';
import { onOwnConnection, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

type Member = Awaited<ReturnType<typeof join>>;

const dayMilliseconds = 86_400_000;
const later = (days: number, seconds = 0) => new Date(worldNow.getTime() + days * dayMilliseconds + seconds * 1000);
const athletic = 'athletic-v-wanderers-2026-03-10';
const city = 'city-v-rovers-2026-03-14';
let turn = 0;

async function person(): Promise<Member> {
  const name = `person-${(turn += 1)}`;
  const made = await join(name, worldNow);
  await sql`update account set email = ${`${name}@example.org`}, email_confirmed = true where id = ${made.accountId}`.execute(
    database(),
  );
  return made;
}

async function shop(more: object = {}) {
  turn += 1;
  const made = await openShop(
    `shop-${turn}`,
    { name: `Shop ${turn}`, visibility: PortfolioVisibility.premium },
    worldNow,
  );
  const plans: PlansInput['plans'] = [
    {
      period: 'month',
      onSale: true,
      prices: [{ currencyId: CurrencyId.GBP, amountMinor: 2000 }],
    },
  ];
  await decidedAt(worldNow, () =>
    setPlans(made.owner, made.reference, { mainCurrencyId: CurrencyId.GBP, plans, ...more }, undefined, worldNow),
  );
  return made;
}

const pause = (viewer: Viewer, length: PauseLength = 'week', at = worldNow) =>
  decidedAt(at, () => takeBreak(viewer, { length }, at));
const order = (viewer: Viewer, portfolio: string, at = worldNow, amountMinor = 2000) =>
  decidedAt(at, () => startCheckout(viewer, { portfolio, period: 'month', amountMinor }, `key-${(turn += 1)}`));
const paymentOf = ({ payUrl }: Pick<OrderView, 'payUrl'>) => payUrl?.split('/').at(-1) ?? '';

async function joinAs(viewer: Viewer, portfolio: string, at = worldNow, outcome: SandboxOutcome = 'success') {
  const made = await order(viewer, portfolio, at);
  return decidedAt(at, async () => {
    await chooseOutcome(paymentOf(made), outcome);
    return readOrder(viewer, made.reference);
  });
}

const membershipsOf = async (viewer: Viewer, at: Date) => {
  const { running, past } = await listMemberships(viewer, at);
  return { running: running[0], past: past[0] };
};

/** What a member paid and got back, in minor units. */
async function money({ accountId }: Member): Promise<{ paid: number; back: number }> {
  const { rows } = await sql<{ paid: number; back: number }>`
    select coalesce(sum(amount_minor) filter (where status = 'succeeded'), 0)::int as paid, coalesce(sum(refunded_minor), 0)::int as back
    from sandbox_payment where customer = ${String(accountId)}
  `.execute(database());
  return rows[0] ?? { paid: 0, back: 0 };
}

async function tip(
  { owner, reference }: { owner: Viewer; reference: string },
  more: Partial<TipInput> = {},
  at = later(0, 5),
) {
  const legs = more.legs ?? [await offer(athletic, 'match-result', 'home', 'bet365')];
  const input = { idempotencyKey: `tip-${(turn += 1)}`, stakeHundredths: 200, ...more, legs };
  return (await publishTip(owner, reference, input, at)).reference;
}

const viewerOf: Parameters<typeof sendDueNews>[1]['viewerOf'] = ({ countryId, ...known }) => member(known, countryId);
async function pass(at: Date): Promise<void> {
  const channels = offeredChannels();
  await spreadNews(channels, at, { seconds: 5 });
  await sendDueNews(at, { viewerOf, channels, seconds: 5 });
  await sendDigests(at, { viewerOf, channels, seconds: 5 });
}
const mailsTo = async ({ accountId }: Member) => {
  const { rows } = await sql<{ email: string }>`select email from account where id = ${accountId}`.execute(database());
  return (await listWaitingMails(200)).filter(({ to }) => to === rows[0]?.email).map(({ subject }) => subject);
};

afterEach(async () => expect(await listBookProblems()).toEqual([]));

describe('a break', () => {
  test('lasts as long as was chosen, from the moment that it was taken, and can be made longer', async () => {
    const bob = await person();
    expect(await getPause(bob, worldNow)).toMatchObject({
      since: null,
      until: null,
      help: { telephone: '0808 8020 133' },
    });
    expect(await pause(bob, 'week')).toMatchObject({ since: worldNow.toISOString(), until: later(7).toISOString() });
    await pause(bob, 'month', later(1));
    const seen = await getPause(bob, later(2));
    expect(seen).toMatchObject({ since: worldNow.toISOString(), until: later(31).toISOString() });
    expect(seen.lengths.map(({ length }) => length)).toEqual(['month', 'quarter', 'half-year']);
    expect(await getPause(bob, later(31))).toMatchObject({ since: null, until: null });
  });

  test('is never made shorter by a shorter one, whichever comes first of two at once', async () => {
    const bob = await person();
    await pause(bob, 'month');
    await expect(pause(bob, 'day', later(1))).rejects.toMatchObject({ kind: 'conflict' });
    const cat = await person();
    await Promise.allSettled([pause(cat, 'day'), pause(cat, 'half-year'), pause(cat, 'week')]);
    expect((await getPause(cat, worldNow)).until).toBe('2026-09-10T12:00:00.000Z');
  });

  test('is begun once by one key, however often it is sent', async () => {
    const bob = await person();
    const begin = (at: Date) => decidedAt(at, () => takeBreak(bob, { length: 'day' }, at, 'the-key'));
    expect(await begin(later(0, 5))).toEqual(await begin(worldNow));
    expect((await exportUser(bob, worldNow)).pauses).toHaveLength(1);
  });

  test.each([
    ["update betting_pause set until_at = from_at + interval '24 hours'"],
    ["update betting_pause set until_at = until_at + interval '1 day'"],
    ['delete from betting_pause'],
    ['truncate betting_pause'],
  ])('is refused to every role: %s', async (statement) => {
    const bob = await person();
    await pause(bob, 'week');
    await expect(transact(() => sql.raw(statement).execute(database()))).rejects.toThrow(/permission denied/);
    await expect(onOwnConnection((client) => client.query(statement))).rejects.toThrow();
    await expect(
      onOwnConnection((client) => client.query(`set session_replication_role = replica; ${statement}`)),
    ).rejects.toThrow();
    expect((await getPause(bob, worldNow)).until).toBe(later(7).toISOString());
  });

  test('stands in the export and on the page of staff, and an account that takes one can be deleted', async () => {
    const bob = await person();
    await pause(bob, 'day');
    const taken = [{ from: worldNow.toISOString(), until: later(1).toISOString() }];
    expect((await exportUser(bob, worldNow)).pauses).toHaveLength(1);
    const staff = member({
      accountId: bob.accountId,
      role: Role.admin,
      pro: false,
      owns: [],
      subscribes: [],
      proven: true,
    });
    expect((await getUserForStaff(staff, bob.accountId, worldNow)).pauses).toEqual(taken);
    await decidedAt(worldNow, () => deleteAccount(bob, worldNow));
    expect((await getUserForStaff(staff, bob.accountId, worldNow)).pauses).toEqual(taken);
  });
});

describe('what is bought', () => {
  test('is refused until the end, with the end and help in the words, and taken again from then on', async () => {
    const { reference } = await shop();
    const bob = await person();
    await pause(bob, 'day');
    const refused = { kind: 'forbidden', details: { pausedUntil: later(1).toISOString() } };
    await expect(order(bob, reference)).rejects.toMatchObject(refused);
    await expect(order(bob, reference, new Date(later(1).getTime() - 1))).rejects.toThrow(
      /break from betting until Wed 11 Mar 2026, 12:00 UTC.*National Gambling Helpline, 0808 8020 133, https:/,
    );
    expect(await joinAs(bob, reference, later(1))).toMatchObject({ status: 'paid' });
  });

  test('is refused for a trial as well', async () => {
    const { reference } = await shop({ trialDays: 7 });
    const bob = await person();
    await pause(bob);
    await expect(order(bob, reference, worldNow, 0)).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('and was not paid when the break began is closed with it', async () => {
    const { reference } = await shop();
    const bob = await person();
    const made = await order(bob, reference);
    await pause(bob, 'week', later(0, 1));
    await expect(decidedAt(later(0, 2), () => chooseOutcome(paymentOf(made), 'success'))).rejects.toThrow(
      'already has an outcome',
    );
    expect(await decidedAt(later(0, 2), () => readOrder(bob, made.reference))).toMatchObject({
      status: 'cancelled',
      payUrl: null,
    });
    expect(await money(bob)).toEqual({ paid: 0, back: 0 });
  });

  test('and was paid as the break began comes back whole', async () => {
    const { reference, id } = await shop();
    const bob = await person();
    const made = await order(bob, reference);
    await decidedAt(worldNow, () => chooseOutcome(paymentOf(made), 'success'));
    await pause(bob, 'week', later(0, 1));
    expect(await decidedAt(later(0, 2), () => readOrder(bob, made.reference))).toMatchObject({ status: 'cancelled' });
    expect(await money(bob)).toEqual({ paid: 2000, back: 2000 });
    expect(await membershipsOf(bob, later(0, 3))).toEqual({ running: undefined, past: undefined });
    expect((await listMemberships(bob, later(0, 3))).receipts.map(({ isRefund }) => isRefund).toSorted()).toEqual([
      false,
      true,
    ]);
    const { rows } = await sql`select from membership where portfolio_id = ${id}`.execute(database());
    expect(rows).toEqual([]);
  });

  test('and waited for the bank comes back when the bank says yes', async () => {
    const { reference } = await shop();
    const bob = await person();
    expect(await joinAs(bob, reference, worldNow, 'pending')).toMatchObject({ status: 'processing' });
    await pause(bob, 'week', later(0, 1));
    await decidedAt(later(0, 300), () => reconcilePayments(later(0, 300)));
    expect(await money(bob)).toEqual({ paid: 2000, back: 2000 });
    expect((await membershipsOf(bob, later(0, 400))).running).toBeUndefined();
  });

  test('is closed by the clock where the provider did not answer when the break began', async () => {
    const { reference } = await shop();
    const bob = await person();
    const made = await order(bob, reference);
    setProvider({ ...sandbox, close: () => Promise.reject(new Error('no answer')) });
    await pause(bob, 'week', later(0, 1)).finally(() => setProvider(null));
    await decidedAt(later(0, 10), () => expireOrders(later(0, 10)));
    expect(await decidedAt(later(0, 11), () => readOrder(bob, made.reference))).toMatchObject({ status: 'cancelled' });
  });

  test('is either paid before the break or refused by it when both come at once', async () => {
    const { reference } = await shop();
    for (let times = 0; times < 6; times += 1) {
      const bob = await person();
      const [bought] = await Promise.allSettled([
        times % 2 ? joinAs(bob, reference) : order(bob, reference),
        pause(bob, 'week'),
      ]);
      await decidedAt(later(0, 20), () => expireOrders(later(0, 20)));
      const { paid, back } = await money(bob);
      const { running } = await membershipsOf(bob, later(0, 30));
      expect(['fulfilled', 'rejected']).toContain(bought.status);
      expect(paid - back).toBe(running === undefined ? 0 : 2000);
      const { rows } =
        await sql`select from customer_order where account_id = ${bob.accountId} and status in ('open', 'processing')`.execute(
          database(),
        );
      expect(rows).toEqual([]);
    }
  });
});

describe('a membership', () => {
  test('whose period ends during the break ends then, uncharged, says so beforehand, and reminds of nothing', async () => {
    const { reference } = await shop();
    const bob = await person();
    await joinAs(bob, reference);
    await pause(bob, 'month', later(10));
    expect((await membershipsOf(bob, later(11))).running).toMatchObject({ state: 'active', renewsAt: null });
    await decidedAt(later(28), () => remindMembers(later(28)));
    const at = later(31, 10);
    await decidedAt(at, () => renewMemberships(at));
    expect(await membershipsOf(bob, at)).toMatchObject({
      running: undefined,
      past: { state: 'ended', because: 'You are taking a break from betting, so it was not renewed.' },
    });
    expect(await money(bob)).toEqual({ paid: 2000, back: 0 });
    await pass(later(31, 20));
    const mails = await mailsTo(bob);
    expect(mails.filter((subject) => /ended/i.test(subject))).toHaveLength(1);
  });

  test('whose period ends after the break goes on', async () => {
    const { reference } = await shop();
    const bob = await person();
    await joinAs(bob, reference);
    await pause(bob, 'week', later(10));
    expect((await membershipsOf(bob, later(11))).running?.renewsAt).toBe('2026-04-10T12:00:00.000Z');
    const at = later(31, 10);
    await decidedAt(at, () => renewMemberships(at));
    expect((await membershipsOf(bob, at)).running).toMatchObject({ state: 'active' });
    expect(await money(bob)).toEqual({ paid: 4000, back: 0 });
  });

  test('can be cancelled and refunded during the break, and a cancellation is not taken back in it', async () => {
    const { reference } = await shop();
    const [bob, cat] = [await person(), await person()];
    const bobs = (await joinAs(bob, reference)).membership ?? '';
    const cats = (await joinAs(cat, reference)).membership ?? '';
    for (const each of [bob, cat]) await pause(each, 'week', later(1));
    expect(await decidedAt(later(2), () => cancelMembership(bob, bobs))).toMatchObject({ state: 'cancelled' });
    await expect(decidedAt(later(2), () => keepMembership(bob, bobs))).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await decidedAt(later(9), () => keepMembership(bob, bobs))).toMatchObject({ state: 'active' });
    expect(await decidedAt(later(2), () => refundMembership(cat, cats))).toMatchObject({ state: 'ended' });
    expect((await money(cat)).back).toBeGreaterThan(1800);
  });

  test('that is past due ends when the break begins, and no card is charged again', async () => {
    const { reference } = await shop();
    const bob = await person();
    await joinAs(bob, reference, worldNow, 'declined-later');
    const at = later(31, 10);
    await decidedAt(at, () => renewMemberships(at));
    expect((await membershipsOf(bob, at)).running).toMatchObject({ state: 'past due' });
    await pause(bob, 'week', later(31, 60));
    await decidedAt(later(31, 70), () => renewMemberships(later(31, 70)));
    expect((await membershipsOf(bob, later(31, 80))).past).toMatchObject({ state: 'ended' });
    await decidedAt(later(33), () => renewMemberships(later(33)));
    expect(await money(bob)).toEqual({ paid: 2000, back: 0 });
  });

  test('whose renewal was opened, and not charged, when the break began is not charged', async () => {
    const { reference } = await shop();
    const bob = await person();
    await joinAs(bob, reference);
    // A program that died once it had opened the renewal leaves it to be taken up.
    setProvider({ ...sandbox, charge: () => Promise.reject(new Error('died')) });
    const at = later(31, 10);
    await decidedAt(at, () => renewMemberships(at)).finally(() => setProvider(null));
    await pause(bob, 'week', later(31, 20));
    await decidedAt(later(31, 400), () => renewMemberships(later(31, 400)));
    expect(await money(bob)).toEqual({ paid: 2000, back: 0 });
    expect((await membershipsOf(bob, later(31, 500))).past).toMatchObject({ state: 'ended' });
  });

  test('whose renewal the provider was being asked for as the break began is given back', async () => {
    const { reference } = await shop();
    const bob = await person();
    await joinAs(bob, reference);
    const at = later(31, 10);
    setProvider({
      ...sandbox,
      charge: async (asked) => {
        await pause(bob, 'week', at);
        return sandbox.charge(asked);
      },
    });
    await decidedAt(at, () => renewMemberships(at)).finally(() => setProvider(null));
    expect(await money(bob)).toEqual({ paid: 4000, back: 2000 });
    expect((await membershipsOf(bob, later(31, 20))).past).toMatchObject({ state: 'ended' });
    const { rows } = await sql<{ what: string }>`
      select details ->> 'what' as what from event where account_id = ${bob.accountId} and kind = 'membership' order by id
    `.execute(database());
    expect(rows.map(({ what }) => what)).toEqual(['joined', 'refunded']);
    await decidedAt(later(45), () => renewMemberships(later(45)));
    expect((await money(bob)).paid).toBe(4000);
  });
});

describe('bets', () => {
  const bet = async (viewer: Viewer, at: Date, key = `bet-${(turn += 1)}`) => {
    const { oddsThousandths, ...leg } = await offer(athletic, 'match-result', 'home', 'bet365');
    const price = { oddsThousandths, fraction: null };
    return decidedAt(at, () =>
      placeBet(viewer, { legs: [{ ...leg, price }], stakeMinor: 500, currencyId: CurrencyId.GBP }, key),
    );
  };
  const count = async (viewer: Viewer) =>
    (await listBets(viewer, { ...betFilterSchema.parse({}), skip: 0 }, later(0, 60))).items.length;

  test('of the slip are refused, and one that was recorded before answers to its key', async () => {
    const bob = await person();
    const before = await bet(bob, worldNow, 'the-bet');
    await pause(bob, 'day', later(0, 1));
    await expect(bet(bob, later(0, 2))).rejects.toMatchObject({ kind: 'forbidden' });
    expect((await bet(bob, later(0, 3), 'the-bet')).reference).toBe(before.reference);
    expect(await count(bob)).toBe(1);
  });

  test('at once with the break are either in the record before it or refused', async () => {
    for (let times = 0; times < 5; times += 1) {
      const bob = await person();
      const [made] = await Promise.allSettled([bet(bob, worldNow), pause(bob, 'day')]);
      expect(await count(bob)).toBe(made.status === 'fulfilled' ? 1 : 0);
      await expect(bet(bob, later(0, 1))).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  test(
    'of autobets are missed with the reason, and a rule can be switched off and not on',
    undone(async () => {
      const ann = await openShop(`ann-${(turn += 1)}`, { name: `Ann ${turn}` }, worldNow);
      const bob = await person();
      const rule = { enabled: true, unitMinor: 1000, mostMinor: 5000, currencyId: CurrencyId.GBP };
      const set = (enabled: boolean, at: Date) =>
        decidedAt(at, () => setAutobetRule(bob, ann.reference, { ...rule, enabled }, at));
      await set(true, worldNow);
      await pause(bob, 'day', later(0, 1));
      await tip(ann);
      await decidedAt(later(0, 10), () => placeAutobets(later(0, 10)));
      expect((await listAutobets(bob)).latest).toMatchObject([{ missed: 'paused', betReference: null }]);
      expect(await count(bob)).toBe(0);
      expect(await set(false, later(0, 20))).toMatchObject({ enabled: false });
      await expect(set(true, later(0, 21))).rejects.toMatchObject({ kind: 'forbidden' });
    }),
  );
});

describe('news', () => {
  test(
    'of tips reach nobody who takes a break, those put down before it included; what comes after it does',
    undone(async () => {
      const ann = await openShop(`ann-${(turn += 1)}`, { name: `Ann ${turn}` }, worldNow);
      const [bob, cat] = [await person(), await person()];
      for (const each of [bob, cat]) await followPortfolio(each, ann.reference, undefined, worldNow);
      await tip(ann);
      await spreadNews(offeredChannels(), later(0, 6), { seconds: 5 });
      await pause(bob, 'day', later(0, 7));
      await pass(later(0, 8));
      await tip(ann, { stakeHundredths: 300 }, later(0, 9));
      await pass(later(0, 10));
      expect([(await mailsTo(bob)).length, (await mailsTo(cat)).length]).toEqual([0, 2]);
      expect((await listNotifications(bob, later(0, 11))).items).toHaveLength(1);
      expect((await listNotifications(cat, later(0, 11))).items).toHaveLength(2);
      await pass(later(1, 10));
      expect(await mailsTo(bob)).toEqual([]);
      const markets = [matchResult('City', 'Rovers', later(1, 10).toISOString(), { tarnwick: [2_200, 3_300, 3_400] })];
      const fixture = match('City', 'Rovers', '2026-03-14T15:00:00.000Z', { markets });
      await importFixtures([{ line: 1, fixture }], 'football-data', later(1, 10));
      await tip(ann, { legs: [await offer(city, 'match-result', 'home', 'tarnwick')] }, later(1, 11));
      await pass(later(1, 12));
      expect(await mailsTo(bob)).toHaveLength(1);
    }),
  );

  test(
    'of their money go on, and who publishes goes on publishing',
    undone(async () => {
      const { owner, reference } = await shop();
      const bob = await person();
      const made = await joinAs(bob, reference);
      await pause(bob, 'week', later(0, 1));
      await pause(owner, 'week', later(0, 1));
      expect(await tip({ owner, reference })).toEqual(expect.any(String));
      await decidedAt(later(0, 20), () => cancelMembership(bob, made.membership ?? ''));
      await pass(later(0, 30));
      expect((await mailsTo(bob)).length).toBeGreaterThanOrEqual(2);
    }),
  );
});

test('the break and the order wait for each other: nothing is decided before the other has ended', async () => {
  const bob = await person();
  const { reference } = await shop();
  let release = () => undefined as void;
  let lock = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = () => resolve()));
  const locked = new Promise<void>((resolve) => (lock = () => resolve()));
  const slow = transact(async () => {
    await sql`select from account where id = ${bob.accountId} for no key update`.execute(database());
    lock();
    await held;
    await sql`insert into betting_pause (account_id, from_at, until_at) values (${bob.accountId}, ${worldNow}, ${later(1)})`.execute(
      database(),
    );
    return decisionMoment();
  });
  await locked;
  const bought = order(bob, reference).catch((error: unknown) => error);
  try {
    expect(await Promise.race([bought, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))])).toBe('waits');
  } finally {
    release();
    await slow;
  }
  expect(await bought).toMatchObject({ kind: 'forbidden' });
});
