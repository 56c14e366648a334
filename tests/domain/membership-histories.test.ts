import fc from 'fast-check';
import { sql } from 'kysely';
import { canReadPremium } from '@/lib/access/rules';
import type { Viewer } from '@/lib/access/schema';
import { findMemberById } from '@/lib/accounts/queries';
import { member } from '@/lib/http/viewer';
import {
  cancelMembership,
  cancelOrder,
  changeCard,
  confirmTeam,
  createCoupon,
  expireOrders,
  keepMembership,
  readCardChange,
  readOrder,
  reconcilePayments,
  refundMembership,
  releaseEarnings,
  remindMembers,
  renewMemberships,
  setPlans,
  setProPart,
  shareProEarnings,
  startCheckout,
  switchTeam,
  watchDisputes,
  writeProPlans,
} from '@/lib/memberships/commands';
import { renewMembership } from '@/lib/memberships/commands/renew';
import { listMemberships } from '@/lib/memberships/queries';
import { setProvider } from '@/lib/money/commands';
import { listBookProblems } from '@/lib/money/queries';
import { atOnce, database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import { onOwnConnection, onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { atSandbox, atStripe, type House, noMoney } from '../support/membership-houses';
import {
  afterCoupon,
  type Card,
  type Coupon,
  type Membership,
  newPerson,
  type Person,
  Rules,
  type Seller,
  totals,
} from '../support/membership-model';
import { withPreparedStatements } from '../support/prepared-statements';
import { randomFrom } from '../support/random-tips';
import { onStripe } from '../support/stripe-server';
import { trialSize } from '../support/trial-size';
import { worldNow } from '../support/world';

onTestDatabase();
withPreparedStatements();
jest.setTimeout(24 * 3_600_000);

// What the sandbox took is asked of each payer very often here, and nowhere else.
beforeAll(() => onOwnConnection((client) => client.query('create index on sandbox_payment (customer)')));

const histories = trialSize('TIPLEDGER_HISTORIES', 16);
const seed = Number(process.env.TIPLEDGER_SEED ?? Math.floor(Math.random() * 2 ** 31));

const hour = 3_600_000;
const lanes = 8;
// A program that died is started again; what it had begun is its own for five minutes.
const [foundAfter, leaseSeconds, askedAgainAfter] = [10, 300, 360];

type Killed = null | 'asking' | 'noting';

/** What somebody does, so many hours after what they did before; `killed` is the program that charges meanwhile, before it asks the provider or before it notes the answer; `lost` is the answer of the provider. */
type Step = { after: number; killed: Killed; lost: boolean; from: 'portfolio' | 'site'; pick: number } & (
  | { do: 'buy' | 'card'; card: Card }
  | { do: 'abandon checkout' | 'cancel' | 'keep' | 'refund' | 'team' | 'switch' | 'leave' }
);

const coupons: readonly Coupon[] = [
  { code: 'HALF', percent: 50, pence: null, payments: 1 },
  { code: 'THREE', percent: null, pence: 333, payments: 3 },
  { code: 'ALWAYS', percent: 15, pence: null, payments: null },
];

const aCard = fc.constantFrom<Card>(
  'success',
  'success',
  'declined',
  'declined-later',
  'declined-later',
  'chargeback-later',
  'cancelled',
);

const aStep: fc.Arbitrary<Step> = fc
  .tuple(
    fc.record({
      after: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 4 }) },
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 24 * 40 }) },
        // A week in which a team stands, and two in which money can be had back.
        { weight: 1, arbitrary: fc.constantFrom(7 * 24 - 1, 7 * 24, 14 * 24 - 1, 14 * 24) },
      ),
      killed: fc.constantFrom<Killed>(null, null, 'asking', 'noting'),
      lost: fc.boolean(),
      from: fc.constantFrom<Step['from']>('portfolio', 'portfolio', 'portfolio', 'site'),
      pick: fc.nat(2 ** 20),
    }),
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('buy' as const), card: aCard }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('card' as const), card: aCard }) },
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constantFrom('abandon checkout', 'cancel', 'keep', 'refund', 'refund', 'team', 'switch'),
        }),
      },
    ),
  )
  .map(([when, what]) => ({ ...when, ...what }) as Step);

const aScript = fc.array(aStep, { minLength: 3, maxLength: 14 });
// Nobody is charged, ended or told anything meanwhile. A dispute is asked for thirty days back.
const someOutages = fc.noBias(
  fc.array(fc.record({ at: fc.integer({ min: 24, max: 2500 }), hours: fc.integer({ min: 2, max: 29 * 24 }) }), {
    minLength: 2,
    maxLength: 6,
  }),
);
const someChanges = fc.array(
  fc.record({ at: fc.integer({ min: 1, max: 4000 }), pence: fc.integer({ min: 500, max: 4000 }) }),
  { maxLength: 6 },
);

type Buyer = Viewer & { kind: 'member' };
type Actor = Person & { viewer: Buyer; home: Shop; script: Step[]; place: number; stepAt: number; keys: number };
type Shop = Seller & { id: number; owner: Viewer; reference: string; changes: Map<number, number> };

let towns = 0;

/** People who buy memberships of the same portfolios side by side, by one clock that goes from hour to hour. */
class Town {
  private now = 0;
  private readonly queue = new Map<number, Set<Actor>>();
  private readonly killed = new Map<string, Killed>();
  private seconds = 0;
  private readonly refundsLost = new Set<string>();
  private turn = 0;
  private people: Actor[] = [];
  private shops: Shop[] = [];
  private readonly site: Seller & { period: 'month' } = { id: null, period: 'month', pence: 3000, coupons: [] };
  private readonly rules: Rules;
  private readonly outages: Map<number, number>;
  private readonly undelivered: (() => Promise<unknown>)[] = [];
  private readonly random: () => number;

  constructor(
    private readonly house: House,
    private readonly seed: number,
    private readonly beginning: Date,
  ) {
    this.rules = new Rules(beginning.getTime());
    this.random = randomFrom(seed);
    const [outages = []] = fc.sample(someOutages, { seed, numRuns: 1 });
    this.outages = new Map(outages.map(({ at, hours }) => [at, hours]));
  }

  private readonly at = () => new Date(this.beginning.getTime() + this.now * hour);
  private readonly during = <T>(work: () => Promise<T>, seconds = 0) => {
    this.seconds = seconds;
    return decidedAt(this.moment(), work);
  };
  private readonly moment = (seconds = this.seconds) => new Date(this.at().getTime() + seconds * 1000);
  private readonly name = (towns += 1);
  private readonly upTo = (count: number) => Math.floor(this.random() * count);
  private readonly key = () => `key-${(this.turn += 1)}`;

  /** Opens the shops and lets people in. */
  async open(size: number): Promise<void> {
    this.house.begin(this.moment, this.at);
    await transact(() => writeProPlans(plansFor(this.site), this.beginning));
    const changes = fc.sample(someChanges, { seed: this.seed, numRuns: Math.max(7, Math.ceil(size / 100)) });
    for (const [index, list] of changes.entries()) this.shops.push(await this.openShop(index, list));
    const scripts = fc.sample(aScript, { seed: this.seed, numRuns: size });
    for (const [index, script] of scripts.entries()) {
      const home = this.shops[index % this.shops.length] as Shop;
      script.push({ do: 'leave', after: 1, killed: null, lost: false, from: 'portfolio', pick: 0 });
      const actor: Actor = {
        ...newPerson(),
        viewer: await join(`buyer-${this.name}-${index}`, this.beginning),
        home,
        script,
        place: 0,
        stepAt: (index % 200) + (script[0]?.after ?? 1),
        keys: 0,
      };
      this.people.push(actor);
      this.await(actor);
    }
  }

  private async openShop(index: number, changes: { at: number; pence: number }[]): Promise<Shop> {
    const name = { name: `Shop ${this.name} ${index}`, visibility: PortfolioVisibility.premium };
    const { owner, id, reference } = await openShop(`owner-${this.name}-${index}`, name, this.beginning);
    const shop: Shop = {
      id,
      owner,
      reference,
      period: index % 3 === 2 ? 'week' : 'month',
      pence: 1000,
      coupons,
      changes: new Map(changes.map(({ at, pence }) => [at, pence])),
    };
    await this.during(() => this.setPrice(shop));
    for (const { code, percent, pence, payments } of coupons)
      await this.during(() =>
        createCoupon(
          owner,
          reference,
          { code, percent, amountMinor: pence, periods: payments, onceEach: false },
          undefined,
          this.beginning,
        ),
      );
    await this.during(() => setProPart(owner, reference, true, this.key(), this.beginning));
    return shop;
  }

  private setPrice(shop: Shop) {
    const asked = { mainCurrencyId: CurrencyId.GBP, plans: plansFor(shop) };
    return setPlans(shop.owner, shop.reference, asked, undefined, this.at());
  }

  private await(actor: Actor): void {
    const step = actor.place < actor.script.length ? actor.stepAt : Number.POSITIVE_INFINITY;
    const at = Math.min(step, this.rules.nextAt(actor, this.now));
    if (!Number.isFinite(at)) return;
    const group = this.queue.get(at) ?? new Set();
    this.queue.set(at, group.add(actor));
  }

  /** Lets the hours pass until nothing is left to happen; gives the moment at which everybody has gone. */
  async live(): Promise<Date> {
    setProvider({
      ...this.house.provider,
      charge: async (asked) => {
        const killed = this.killed.get(asked.customer);
        if (killed === 'asking') throw new Error('killed');
        const told = await this.house.provider.charge(asked);
        if (killed === 'noting') throw new Error('killed');
        return told;
      },
      refund: async (asked) => {
        await this.house.provider.refund(asked);
        // Of some the program dies, once, before it has noted what was given.
        if (asked.amountMinor % 3 > 0 || this.refundsLost.has(asked.reference)) return;
        this.refundsLost.add(asked.reference);
        throw new Error('killed');
      },
    });
    try {
      for (; this.queue.size > 0; this.now += 1) {
        this.passOutage(this.outages.get(this.now) ?? 0);
        const group = this.queue.get(this.now);
        this.queue.delete(this.now);
        if (group) await this.passHour([...group]);
      }
      // A day later what was lost in the last hour is found, and what was left open has expired.
      this.now += 24;
      await this.runJobs();
    } finally {
      setProvider(null);
    }
    await this.compareAtEnd();
    return this.at();
  }

  /** So many hours in which the program is away and nobody can do anything: whatever was due comes at their end, at once. */
  private passOutage(hours: number): void {
    const end = this.now + hours;
    const waiting = new Set(this.queue.get(end));
    for (; this.now < end; this.now += 1) {
      for (const actor of this.queue.get(this.now) ?? []) {
        actor.stepAt = Math.max(actor.stepAt, end);
        waiting.add(actor);
      }
      this.queue.delete(this.now);
    }
    if (waiting.size > 0) this.queue.set(end, waiting);
  }

  private async passHour(group: Actor[]): Promise<void> {
    const dying = group.filter(({ script, place }) => script[place]?.killed);
    const [found, askedAgain] = [`${this.now}+${foundAfter}s`, `${this.now}+${askedAgainAfter}s`];
    const late = { asking: { charged: askedAgain, noted: askedAgain }, noting: { noted: found } };
    for (const actor of group) {
      const killed = actor.script[actor.place]?.killed;
      this.rules.pass(actor, this.now, killed ? late[killed] : {});
    }
    if (dying.length > 0) await this.renewAndDie(dying);
    await this.runJobs();
    await this.compare(group);
    for (const shop of this.shops) await this.changePrice(shop);
    const acting = group.filter(({ stepAt, place, script }) => place < script.length && stepAt === this.now);
    const waiting = [...acting];
    await atOnce(lanes, async () => {
      for (let actor = waiting.shift(); actor; actor = waiting.shift()) await this.act(actor);
    });
    await this.deliver();
    // Nobody came back from the provider's page: reconciliation finds it.
    const later = new Date(this.at().getTime() + foundAfter * 1000);
    if (acting.some(({ script, place }) => script[place]?.lost)) await this.reconcile(later, 0);
    await this.compare(acting);
    for (const actor of acting) {
      actor.place += 1;
      actor.stepAt = this.now + (actor.script[actor.place]?.after ?? 0);
    }
    for (const actor of group) this.await(actor);
  }

  /** Delivers some of the provider's notices, late, in any order, some of them more than once and some never: each makes the program look again, and nothing else. */
  private async deliver(): Promise<void> {
    this.undelivered.push(...this.house.notices());
    for (let left = Math.min(4, this.undelivered.length); left > 0; left -= 1) {
      const [notice] = this.undelivered.splice(this.upTo(this.undelivered.length), 1);
      for (let times = this.upTo(3); notice && times > 0; times -= 1) await this.during(notice);
      if (notice && this.upTo(4) === 0) this.undelivered.push(notice);
    }
    while (this.undelivered.length > 200) this.undelivered.splice(this.upTo(this.undelivered.length), 1);
  }

  /** What charges these dies, is started again, and reconciles late enough for it to look; what nobody had asked for yet is asked for when the lease is over. */
  private async renewAndDie(dying: readonly Actor[]): Promise<void> {
    // Before anything is charged: who had a payment disputed meanwhile is not renewed.
    await this.during(() => watchDisputes(this.at()));
    this.house.stumble();
    for (const { viewer, script, place } of dying)
      this.killed.set(String(viewer.accountId), script[place]?.killed ?? null);
    await this.during(() => renewMemberships(this.at()));
    this.killed.clear();
    await this.reconcile(this.moment(foundAfter), foundAfter);
    const { rows } = await sql<{ id: number }>`
      select id from membership where next_at = ${new Date(this.at().getTime() + leaseSeconds * 1000)} and ended_at is null
    `.execute(database());
    for (const { id } of rows) await this.during(() => renewMembership(id), askedAgainAfter);
  }

  /** Reconciles run after run, as a site does: one run reads some hundreds, and after an outage more are waiting. */
  private async reconcile(at: Date, seconds: number): Promise<void> {
    let runs = 0;
    do {
      await this.during(() => reconcilePayments(at), seconds);
      runs += 1;
    } while (runs < 100 && (await this.house.unread()) > 0);
  }

  private async runJobs(): Promise<void> {
    await this.during(() => expireOrders(this.at()));
    await this.reconcile(this.at(), 0);
    await this.during(() => watchDisputes(this.at()));
    await this.during(() => renewMemberships(this.at()));
    await this.during(() => remindMembers(this.at()));
    if (this.now % 24 !== 0) return;
    await this.during(() => releaseEarnings(this.at()));
    await this.during(() => shareProEarnings(this.at()));
  }

  private async changePrice(shop: Shop): Promise<void> {
    for (const [at, pence] of shop.changes) {
      if (at > this.now) continue;
      shop.changes.delete(at);
      this.rules.changePrice(this.people, shop, pence, this.now);
      await this.during(() => this.setPrice(shop));
    }
  }

  private async act(actor: Actor): Promise<void> {
    const step = actor.script[actor.place] as Step;
    const seller = step.from === 'site' ? this.site : actor.home;
    if (step.do === 'team') return this.chooseTeam(actor, step);
    if (step.do === 'switch') return this.switchTeam(actor, step);
    if (step.do === 'leave') return this.leave(actor);
    const membership = actor.memberships.get(seller);
    if (step.do === 'buy') return this.buy(actor, seller, step);
    if (step.do === 'abandon checkout') return membership ? undefined : this.abandon(actor, seller);
    const reference = await this.referenceOf(actor, seller);
    expect([actor.viewer.accountId, reference === null]).toEqual([actor.viewer.accountId, membership === undefined]);
    if (reference === null || membership === undefined) return;
    if (step.do === 'card') return this.changeCard(actor, membership, { ...step, reference });
    if (step.do === 'cancel') {
      await this.during(() => cancelMembership(actor.viewer, reference));
      this.rules.cancel(actor, membership, this.now);
    } else if (step.do === 'keep') {
      await this.during(() => keepMembership(actor.viewer, reference));
      this.rules.keep(actor, membership, this.now);
    } else {
      const done = await this.tried(() => refundMembership(actor.viewer, reference));
      const may = this.rules.mayTakeBack(membership, this.now);
      this.expectEqual(actor, [done.why, done.value !== null], [done.why, may]);
      if (may) this.rules.takeBack(actor, membership, this.now);
    }
  }

  private async tried<T>(work: () => Promise<T>): Promise<{ value: T; why: null } | { value: null; why: string }> {
    return this.during(work).then(
      (value) => ({ value, why: null }),
      (error: Error) => ({ value: null, why: error.message }),
    );
  }

  private async referenceOf(actor: Actor, seller: Seller): Promise<string | null> {
    const { running } = await this.during(() => listMemberships(actor.viewer, this.at()));
    const portfolio = seller === this.site ? null : actor.home.reference;
    return running.find(({ portfolioReference }) => portfolioReference === portfolio)?.reference ?? null;
  }

  private checkout(actor: Actor, seller: Seller, coupon: Coupon | null) {
    const asked = { period: seller.period, amountMinor: afterCoupon(seller.pence, coupon, 1), coupon: coupon?.code };
    const portfolio = seller === this.site ? undefined : actor.home.reference;
    return startCheckout(actor.viewer, { ...asked, portfolio }, `key-${(actor.keys += 1)}`);
  }

  private async buy(actor: Actor, seller: Seller, step: Step & { do: 'buy' | 'card' }): Promise<void> {
    // One in two has a coupon, where there are some.
    const coupon = seller.coupons[step.pick % 6] ?? null;
    const bought = await this.tried(() => this.checkout(actor, seller, coupon));
    expect([bought.why, bought.value === null]).toEqual([bought.why, actor.memberships.has(seller)]);
    if (bought.value === null) return;
    const { reference, payUrl } = bought.value;
    await this.during(() => this.house.choose(payUrl ?? '', step.card));
    if (!step.lost) for (const _ of [1, 2]) await this.during(() => readOrder(actor.viewer, reference));
    this.undelivered.push(() => readOrder(actor.viewer, reference));
    if (step.card !== 'declined' && step.card !== 'cancelled')
      this.rules.buy(actor, seller, { card: step.card, coupon }, this.now);
  }

  private async abandon(actor: Actor, seller: Seller): Promise<void> {
    const { reference } = await this.during(() => this.checkout(actor, seller, null));
    await this.during(() => cancelOrder(actor.viewer, reference));
  }

  private async changeCard(
    actor: Actor,
    membership: Membership,
    { card, lost, reference }: Step & { do: 'buy' | 'card'; reference: string },
  ): Promise<void> {
    const changed = await this.tried(() => changeCard(actor.viewer, reference));
    expect([changed.why, changed.value === null]).toEqual([changed.why, membership.cancelled]);
    if (changed.value === null) return;
    const { payUrl } = changed.value;
    await this.during(() => this.house.choose(payUrl ?? '', card));
    if (!lost) for (const _ of [1, 2]) await this.during(() => readCardChange(actor.viewer, reference));
    this.rules.changeCard(actor, membership, card, this.now);
  }

  private async chooseTeam(actor: Actor, { pick }: Step): Promise<void> {
    const chosen = this.shops.filter((_, index) => (pick >> index) % 2 === 1).slice(0, 5);
    const may =
      this.rules.opens(actor.memberships.get(this.site), this.now) &&
      chosen.length > 0 &&
      chosen.length + actor.team.size <= 5 &&
      !chosen.some((shop) => actor.team.has(shop));
    if (chosen.length === 0) return;
    const references = chosen.map(({ reference }) => reference);
    const done = await this.tried(() => confirmTeam(actor.viewer, references, this.key(), this.at()));
    expect([done.why, done.value !== null]).toEqual([done.why, may]);
    if (may) for (const shop of chosen) actor.team.add(shop);
  }

  private async switchTeam(actor: Actor, { pick }: Step): Promise<void> {
    const [any, into] = [this.shops[pick % 7], this.shops[(pick >> 4) % 7]] as [Shop, Shop];
    const out = this.shops.find((shop) => pick % 8 > 0 && actor.team.has(shop)) ?? any;
    const may =
      this.rules.opens(actor.memberships.get(this.site), this.now) &&
      actor.team.has(out) &&
      !actor.team.has(into) &&
      this.rules.maySwitch(actor, this.now);
    const change = { out: out.reference, in: into.reference };
    const done = await this.tried(() => switchTeam(actor.viewer, change, this.key(), this.at()));
    expect([done.why, done.value !== null]).toEqual([done.why, may]);
    if (!may) return;
    actor.team.delete(out);
    actor.team.add(into);
    actor.switchedAt = this.now;
  }

  private async leave(actor: Actor): Promise<void> {
    for (const membership of [...actor.memberships.values()]) {
      const reference = await this.referenceOf(actor, membership.seller);
      await this.during(() => cancelMembership(actor.viewer, reference ?? ''));
      this.rules.cancel(actor, membership, this.now);
    }
  }

  private async compare(people: readonly Actor[]): Promise<void> {
    if (people.length === 0) return;
    const ids = people.map(({ viewer }) => viewer.accountId);
    const { rows } = await sql<{ accountId: number; running: object[] }>`
      select account_id as "accountId", jsonb_agg(jsonb_build_object('seller', portfolio_id, 'opens', starts_at <= ${this.at()} and ends_at > ${this.at()}, 'pays', amount_minor, 'next', next_amount_minor,
        'cancelled', cancelled_at is not null, 'pastDue', past_due_at is not null, 'periods', periods, 'endsIn', extract(epoch from period_ends_at - ${this.at()}::timestamptz) / 3600) order by id) as running
      from membership where account_id = any(${ids}::int[]) and (ended_at is null or ends_at > ${this.at()}) group by account_id
    `.execute(database());
    const provided = await this.house.totals(ids);
    for (const actor of people) {
      const { accountId } = actor.viewer;
      const { charged, refunded } = totals(actor.payments);
      const found = {
        running: rows.find((row) => row.accountId === accountId)?.running ?? [],
        ...(provided.get(accountId) ?? noMoney),
      };
      const running = [...actor.memberships.values()].map((membership) => this.asRow(membership));
      this.expectEqual(actor, found, { running, charged, refunded });
    }
    const some = people[this.now % people.length];
    if (some) await this.compareReading(some);
  }

  private asRow(membership: Membership) {
    const { seller, pays, next, cancelled, tries, periods, end } = membership;
    return {
      seller: seller.id,
      opens: this.rules.opens(membership, this.now),
      pays,
      next: next?.pence ?? null,
      cancelled,
      pastDue: tries > 0,
      periods,
      endsIn: end - this.now,
    };
  }

  /** What somebody may read, as the program finds it when they come. */
  private async compareReading(actor: Actor): Promise<void> {
    const known = await findMemberById(actor.viewer.accountId, this.at());
    if (!known) throw new Error('The member is gone.');
    const { countryId, ...rest } = known;
    const viewer = member(rest, countryId);
    const opens = (seller: Seller) => this.rules.opens(actor.memberships.get(seller), this.now);
    this.expectEqual(
      actor,
      this.shops.filter((shop) => canReadPremium(viewer, shop)).map(({ id }) => id),
      this.shops.filter((shop) => opens(shop) || (opens(this.site) && actor.team.has(shop))).map(({ id }) => id),
    );
  }

  private expectEqual(actor: Actor, found: unknown, wanted: unknown): void {
    try {
      expect(found).toEqual(wanted);
    } catch (error) {
      throw new Error(
        `Hour ${this.now}, account ${actor.viewer.accountId}: ${(error as Error).message}\n${JSON.stringify(actor.script.slice(0, actor.place + 1), null, 1)}`,
        { cause: error },
      );
    }
  }

  /** The books, what everybody was told, and that nothing is left over. */
  private async compareAtEnd(): Promise<void> {
    const { rows: told } = await sql<{ accountId: number; lines: string[] }>`
      select event.account_id as "accountId", array_agg(
        membership.number || ' ' || split_part(key, ':', 3) || case when details ->> 'what' = 'price' then ' ' || (details ->> 'fromMinor') || ' to ' || (details ->> 'toMinor') else '' end || ' ' || floor(extract(epoch from at - ${this.beginning}::timestamptz) / 3600)
          || coalesce('+' || nullif(extract(epoch from at - ${this.beginning}::timestamptz)::int % 3600, 0) || 's', '')) as lines
      from event join (select id, row_number() over (partition by account_id order by id) as number from membership) membership on membership.id = split_part(key, ':', 2)::int
      where kind = 'membership' and event.account_id = any(${this.people.map(({ viewer }) => viewer.accountId)}::int[]) group by event.account_id
    `.execute(database());
    const linesOf = new Map(told.map(({ accountId, lines }) => [accountId, lines]));
    for (const actor of this.people)
      this.expectEqual(actor, (linesOf.get(actor.viewer.accountId) ?? []).toSorted(), actor.told.toSorted());
    const { rows: earned } = await sql<{ id: number; minor: number }>`
      select portfolio_id as id, (-sum(line.amount_minor))::int as minor from posting join posting_line line on posting_id = posting.id join money_account on money_account.id = account_id
      where money_account.kind = 'clearing' and portfolio_id is not null group by portfolio_id
    `.execute(database());
    const payments = this.people.flatMap((person) => person.payments);
    for (const shop of this.shops) {
      const { charged, disputed } = totals(payments.filter(({ of }) => of.seller === shop));
      expect([shop.id, earned.find(({ id }) => id === shop.id)?.minor ?? 0]).toEqual([shop.id, charged - disputed]);
    }
    expect([await listBookProblems(), await this.house.orphans()]).toEqual([[], 0]);
    const { rows } = await sql<{ unread: number; owed: number; open: number }>`
      select (select count(*)::int from customer_order where status = 'paid' and membership_id is null) as unread,
        (select count(*)::int from refund where status = 'owed') as owed,
        (select count(*)::int from customer_order where status in ('open', 'processing')) as open
    `.execute(database());
    expect(rows).toEqual([{ unread: 0, owed: 0, open: 0 }]);
  }
}

const plansFor = <Period extends Seller['period']>({ period, pence }: { period: Period; pence: number }) => [
  { period, onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: pence }] },
];

/** Lets so many histories happen, some thousands side by side. */
async function runAll(house: House, runs: number, most: number): Promise<void> {
  let from = worldNow;
  for (let done = 0; done < runs; done += most) {
    const town = new Town(house, seed + done, from);
    const size = Math.min(most, runs - done);
    try {
      await town.open(size);
      from = await town.live();
    } catch (error) {
      throw new Error(`Seed ${seed + done}: ${(error as Error).message}`, { cause: error });
    }
    if (runs > most) process.stderr.write(`${new Date().toISOString()} ${done + size} of ${runs} histories agree.\n`);
  }
}

test(`after ${histories} random histories members read, pay, stand and are told what a model says, and the books agree`, () =>
  runAll(atSandbox, histories, trialSize('TIPLEDGER_TOWN', 4000)));

describe('at a server that behaves like Stripe', () => {
  const server = onStripe();
  const runs = Math.max(4, Math.floor(histories / 3));
  test(`${runs} random histories, with answers lost and faults among them, come to the same`, () =>
    runAll(atStripe(server), runs, 300));
});
