import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createAccount } from '@/lib/accounts/commands';
import { member } from '@/lib/http/viewer';
import {
  expireOrders,
  reconcileBooks,
  reconcilePayments,
  releaseEarnings,
  renewMemberships,
  setPlans,
  watchDisputes,
} from '@/lib/memberships/commands';
import { compareWithProviders, sendPayouts } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { type Benchmark, inWords, readWholeNumbers, Refusal, say } from '../bench/benchmark';
import { onBenchDatabase } from '../bench/database';
import { currencyId, type House, sandboxHouse, stripeHouse } from './money-houses';
import { judgeMoney } from './money-judge';
import { type Buyer, type Deadly, type Earner, type Task, type Work, works } from './money-kills-instance';
import { clock, during, present, Program } from './money-kills-program';

const instances = 2;
const [minute, day] = [60_000, 86_400_000];
const judgedEvery = 25;
// With more of them a round takes longer, and no more is seen: fewer buy then.
const mostMembers = 150;
const prices = { week: 700, month: 2_000 } as const;

async function openShops(count: number, house: House): Promise<Earner[]> {
  const shops: Earner[] = [];
  for (let number = 1; number <= count; number += 1) {
    const username = `seller-${number}`;
    const accountId = await createAccount({ username, demo: false }, present());
    const owner = (owns: number[]) => member({ accountId, role: Role.user, pro: false, owns, subscribes: [] });
    const { id, reference } = await createPortfolio(
      owner([]),
      { name: `Shop ${number}`, visibility: PortfolioVisibility.premium },
      present(),
    );
    const plans = (['week', 'month'] as const).map((period) => ({
      period,
      onSale: true,
      prices: [{ currencyId, amountMinor: prices[period] }],
    }));
    await setPlans(owner([id]), reference, { mainCurrencyId: currencyId, plans }, undefined, present());
    await house.welcome(username, accountId);
    shops.push({ accountId, portfolioId: id, portfolio: reference });
  }
  return shops;
}

async function findBuyers(count: number, shops: readonly Earner[]): Promise<Buyer[]> {
  const { rows } = await sql<{ id: number }>`
    insert into account (username, created_at) select 'buyer-' || (select count(*) from account) + number, ${present()}::timestamptz from generate_series(1, ${count}::int) number returning id
  `.execute(database());
  return rows.map(({ id: accountId }) => {
    const period = randomInt(3) === 0 ? 'month' : 'week';
    const portfolio = shops[randomInt(shops.length)]?.portfolio ?? '';
    return { accountId, portfolio, period, amountMinor: prices[period] };
  });
}

async function countRunning(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from membership where ended_at is null
  `.execute(database());
  return rows[0]?.count ?? 0;
}

const deaths: Readonly<Record<Work, readonly Deadly[]>> = {
  checkout: ['startCheckout', 'startCheckout', 'read', 'refund'],
  renewal: ['charge', 'charge', 'charge', 'read'],
  payout: ['payOut'],
};

/** Where an instance dies by itself: at a question to the provider, between its asking and what is written of the answer. */
const aimAt = (work: Work, most: number) => ({
  by: deaths[work][randomInt(deaths[work].length)] ?? 'charge',
  countdown: 1 + randomInt(most),
  answered: randomInt(4) > 0,
});

/** How far the clock is set forward before a round: renewals fall due, and earnings become payable. */
const leap = (work: Work) => (work === 'checkout' ? randomInt(40 * minute) : day + randomInt(4 * day));

/** What is under way at providers or owed, and is to come to an end by itself, in sentences. */
async function underWay(): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select format('Order %s is still %s, its payment %s.', customer_order.reference, customer_order.status, payment.status) as what
    from customer_order join payment on order_id = customer_order.id where customer_order.status in ('open', 'processing') and payment.status in ('started', 'pending')
    union all select format('Refund %s is still owed.', reference) from refund where status = 'owed'
    union all select format('Payout %s is still to be sent.', reference) from payout where status = 'approved'
    union all select format('Membership %s is still due.', id) from membership where plan_id is not null and ended_at is null and next_at <= ${present()}
  `.execute(database());
  return rows.map(({ what }) => what);
}

/** Lets the ordinary jobs run, as any instance would, until nothing is under way; a lease or an order is over each time. */
async function settle(house: House): Promise<string[]> {
  for (let pass = 0; pass < 12; pass += 1) {
    clock.offset += pass === 0 ? 31 * minute : 6 * minute;
    house.settlePending();
    await during(async () => {
      await expireOrders(present());
      for (let batch = 0; batch < 5; batch += 1) await reconcilePayments(present());
      await watchDisputes(present());
      await renewMemberships(present());
      while ((await releaseEarnings(present())) >= 500);
      await sendPayouts();
    });
    if ((await underWay()).length === 0) return [];
  }
  return underWay();
}

type Verdict = { wrong: string[]; mended: number };

/** What the daily reconciliation makes of it once the jobs have run, and what does not agree then. */
async function judge(house: House, began: Date): Promise<Verdict> {
  const left = await settle(house);
  const { found, remaining } = await during(() =>
    reconcileBooks({ from: new Date(present().getTime() - 7 * day), to: present() }, { mend: true }),
  );
  const all = await during(() => compareWithProviders({ from: began, to: present() }));
  const named = [...remaining, ...all].map(({ kind, reference, what }) => `${kind} ${reference ?? ''}: ${what}`);
  return {
    mended: found.length - remaining.length,
    wrong: [...new Set([...left, ...named, ...(await judgeMoney(await house.holdings(), present()))])],
  };
}

type Tally = { kills: number; atWork: number; aimed: number; mended: number; wrong: string[] };

class Trial {
  readonly tally: Tally = { kills: 0, atWork: 0, aimed: 0, mended: 0, wrong: [] };
  private readonly programs: Program[];
  private readonly unfinished = new Map<number, Buyer>();
  private readonly durations: Record<Work, number> = { checkout: 800, renewal: 400, payout: 400 };
  private readonly began = present();

  constructor(
    private readonly house: House,
    private readonly shops: readonly Earner[],
    private readonly buyers: number,
  ) {
    this.programs = Array.from(
      { length: instances },
      () => new Program(house, (accountId) => void this.unfinished.delete(accountId)),
    );
  }

  async run(kills: number): Promise<void> {
    try {
      await Promise.all(this.programs.map((program) => program.start()));
      // Somebody has to be a member before anything is renewed.
      await this.round(() => 'checkout', { kills: false });
      let judged = 0;
      while (this.tally.kills < kills) {
        await this.round(() => works[randomInt(works.length)] ?? 'renewal', { kills: true });
        if (this.tally.kills - judged < judgedEvery && this.tally.kills < kills) continue;
        judged = this.tally.kills;
        await this.verify();
      }
    } finally {
      await Promise.all(this.programs.map((program) => program.kill()));
    }
  }

  private async verify(): Promise<void> {
    const { wrong: found, mended } = await judge(this.house, this.began);
    const { tally } = this;
    const wrong = [...found, ...this.programs.flatMap((program) => program.wrong.splice(0))];
    tally.mended += mended;
    // What stays wrong is found again each time.
    tally.wrong.push(...wrong.filter((line) => !tally.wrong.includes(line)));
    say(
      `${inWords(tally.kills)} kills, ${inWords(tally.atWork)} of them at work: ${inWords(mended)} differences that the daily reconciliation mended, ${tally.wrong.length} problems`,
    );
    for (const line of wrong.slice(0, 5)) say(`  ${line}`);
    for (const program of this.programs) program.tell({ clock: present().getTime() });
  }

  private async round(choose: () => Work, { kills }: { kills: boolean }): Promise<void> {
    const chosen = this.programs.map(choose);
    clock.offset += Math.max(...chosen.map(leap));
    const buying = chosen.filter((work) => work === 'checkout').length;
    const each = (await countRunning()) > mostMembers ? Math.ceil(this.buyers / 4) : this.buyers;
    for (const buyer of buying > 0 ? await findBuyers(each * buying, this.shops) : [])
      this.unfinished.set(buyer.accountId, buyer);
    const buyers = [...this.unfinished.values()];
    const victims = kills ? this.programs.filter((_, place) => place === this.tally.kills % instances) : [];
    if (victims.length > 0 && randomInt(8) === 0) victims.splice(0, 1, ...this.programs);
    const isAimed = victims.length === 1 && randomInt(3) > 0;
    const done = this.programs.map(async (program, place) => {
      const work = chosen[place] ?? 'renewal';
      const isVictim = victims.includes(program);
      const order: Task = {
        work,
        // Whoever was buying when an instance was killed comes back, to whichever there is.
        buyers: work === 'checkout' ? buyers.filter((_, turn) => buying === 1 || turn % instances === place) : [],
        earners: work === 'payout' ? this.shops : [],
        dies: isVictim && isAimed ? aimAt(work, 4) : null,
      };
      program.tell({ clock: present().getTime() });
      const [ended, begun] = [program.until('ended'), program.until('begun')];
      program.tell(order);
      await begun;
      const start = performance.now();
      let isOver = false;
      void ended.then(() => (isOver = true));
      if (isVictim && !order.dies) await sleep(randomInt(Math.ceil(this.durations[work])));
      else await ended;
      if (isVictim) {
        this.tally.kills += 1;
        const isDead = program.isGone;
        if (isDead) this.tally.aimed += 1;
        if (isDead || !isOver) this.tally.atWork += 1;
        await program.kill();
        await program.start();
      } else if (isOver) this.durations[work] = (this.durations[work] + performance.now() - start) / 2;
    });
    await this.sendNotices();
    await Promise.all(done);
    await this.sendNotices();
  }

  /** Notices come late, doubled, in any order, to any instance, and not at all. */
  private async sendNotices(): Promise<void> {
    await sleep(randomInt(300));
    for (const { body, signature } of this.house.notices().toSorted(() => randomInt(3) - 1)) {
      if (randomInt(4) === 0) continue;
      const to = this.programs[randomInt(instances)];
      for (let times = randomInt(5) === 0 ? 2 : 1; times > 0; times -= 1)
        to?.tell({ notice: { headers: { 'stripe-signature': signature }, body } });
    }
  }
}

type Figures = {
  orders: number;
  charges: number;
  renewals: number;
  refunds: number;
  payouts: number;
  disputed: number;
};

async function count(): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select (select count(*) from customer_order where status = 'paid')::int as orders, (select count(*) from customer_order where status = 'paid' and kind = 'renewal')::int as renewals,
      (select count(*) from payment where status in ('succeeded', 'disputed') and amount_minor > 0)::int as charges, (select count(*) from payment where status = 'disputed')::int as disputed,
      (select count(*) from refund where status = 'done')::int as refunds, (select count(*) from payout where status = 'paid')::int as payouts
  `.execute(database());
  return rows[0] ?? { orders: 0, charges: 0, renewals: 0, refunds: 0, payouts: 0, disputed: 0 };
}

function readProvider(args: readonly string[]): { at: 'sandbox' | 'stripe'; rest: string[] } {
  const place = args.indexOf('--at');
  const at = place === -1 ? 'sandbox' : args[place + 1];
  if (at !== 'sandbox' && at !== 'stripe') throw new Refusal('--at must be sandbox or stripe.');
  return { at, rest: place === -1 ? [...args] : args.toSpliced(place, 2) };
}

async function run(args: string[]): Promise<number> {
  const { at, rest } = readProvider(args);
  const [first, ...more] = rest;
  const { kills, shops, buyers } = readWholeNumbers(
    first !== undefined && /^\d+$/.test(first) ? ['--kills', first, ...more] : rest,
    {
      kills: { least: 1, most: 10_000, fallback: 10 },
      shops: { least: 1, most: 100, fallback: 6 },
      buyers: { least: 1, most: 1_000, fallback: 12 },
    },
  );
  return onBenchDatabase(async () => {
    const house = at === 'stripe' ? await stripeHouse() : sandboxHouse();
    house.setClock(present);
    try {
      const start = performance.now();
      const trial = new Trial(house, await during(() => openShops(shops, house)), buyers);
      await trial.run(kills);
      const { tally } = trial;
      const { orders, renewals, charges, disputed, refunds, payouts } = await count();
      process.stdout.write(
        `${inWords(tally.kills)} kills of ${instances} instances at the ${at === 'stripe' ? 'server that behaves like Stripe' : 'sandbox'} in ${((performance.now() - start) / 1000).toFixed(0)} s, ${inWords(tally.atWork)} of them at work and ${inWords(tally.aimed)} of those at a question to the provider: ` +
          `${inWords(orders)} orders paid (${inWords(renewals)} renewals), ${inWords(charges)} charges (${inWords(disputed)} disputed), ${inWords(refunds)} refunds, ${inWords(payouts)} payouts; the daily reconciliation mended ${inWords(tally.mended)} differences, ${tally.wrong.length} problems.\n`,
      );
      for (const line of tally.wrong.slice(0, 40)) process.stdout.write(`  ${line}\n`);
      return tally.wrong.length === 0 ? 0 : 1;
    } finally {
      await house.close();
    }
  });
}

/** Issue 17: instances that take payments, renew and pay out, killed meanwhile: nothing is charged or paid out twice or for nothing, and what the jobs and the daily reconciliation leave agrees. */
export const moneyKills: Benchmark = {
  name: 'money-kills',
  title: 'instances killed while they take payments, renew and pay out: nothing twice, nothing lost, books that agree',
  options: [
    '<number>            how many kills (10)',
    '--at stripe         at a server that behaves like Stripe, instead of the sandbox',
    '--shops 6           portfolios that sell and are paid out',
    '--buyers 12         who buy in a round of checkouts, at each instance',
  ],
  run,
};
