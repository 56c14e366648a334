import { randomInt } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { member } from '@/lib/http/viewer';
import {
  cancelMembership,
  expireOrders,
  payOut,
  readOrder,
  reconcileBooks,
  reconcilePayments,
  refundMembership,
  releaseEarnings,
  renewMemberships,
  startCheckout,
  takeNotice,
  watchDisputes,
} from '@/lib/memberships/commands';
import { provider, sendPayouts, setProvider } from '@/lib/money/commands';
import type { Provider } from '@/lib/money/schema';
import { atOnce, isConnectionLost } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { decidedAt } from '@/lib/platform/moment';
import { CurrencyId, Role } from '@/lib/reference/schema';

/** What an instance may be at when it is killed. */
export const works = ['checkout', 'renewal', 'payout'] as const;

/** What an instance is at. */
export type Work = (typeof works)[number];

/** What a provider is asked for, at which an instance can be told to die. */
export type Deadly = 'startCheckout' | 'charge' | 'read' | 'refund' | 'payOut';

/** Who buys what: a plan of a portfolio, at its price. */
export type Buyer = { accountId: number; portfolio: string; period: 'week' | 'month'; amountMinor: number };

/** Whose earnings are paid out. */
export type Earner = { accountId: number; portfolioId: number; portfolio: string };

/** What an instance is to do. `dies`: by which question to the provider, at the how manieth, before it was asked or after it was answered. */
export type Task = {
  work: Work;
  buyers: readonly Buyer[];
  earners: readonly Earner[];
  dies: null | { by: Deadly; countdown: number; answered: boolean };
};

/** What an instance is told, a line each. */
export type Order =
  | { clock: number }
  | Task
  | { paid: string }
  | { notice: { headers: Record<string, string>; body: string } };

/** What an instance tells, a line each. */
export type Told =
  | { told: 'ready' }
  | { told: 'begun' }
  | { told: 'pay'; payUrl: string }
  | { told: 'bought'; accountId: number }
  | { told: 'wrong'; message: string }
  | { told: 'ended' };

const lanes = 6;
const day = 86_400_000;

const tell = (told: Told) => void process.stdout.write(`${JSON.stringify(told)}\n`);

/** How a payer goes on who is not always there: comes back to the site, or does not. */
const isSo = (percent: number) => randomInt(100) < percent;

const paid = new Map<string, () => void>();
const clock = { setTo: 0, at: 0 };
const present = () => new Date(clock.setTo + performance.now() - clock.at);

/** Kills itself, as anybody else would, at a question to the provider. */
function dieAt({ by, countdown, answered }: NonNullable<Task['dies']>): void {
  setProvider(null);
  const real = provider();
  let left = countdown;
  const dying = async (asked: never) => {
    left -= 1;
    if (left === 0 && !answered) process.kill(process.pid, 'SIGKILL');
    const answer = await (real[by] as (given: never) => Promise<unknown>)(asked);
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return answer;
  };
  setProvider({ ...real, [by]: dying } as Provider);
}

/** Does something that may be refused in words; all else is wrong. */
async function trying<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    // Where no connection was free in time, whoever asked tries again.
    if (!isFailure(error) && !isConnectionLost(error))
      tell({ told: 'wrong', message: error instanceof Error ? String(error.stack) : String(error) });
    return null;
  }
}

async function buy({ accountId, ...asked }: Buyer): Promise<void> {
  const viewer = member({ accountId, role: Role.user, pro: false, owns: [], subscribes: [] });
  const key = `buyer-${accountId}`;
  // A double click, or two tabs.
  const [order] = await Promise.all(
    Array.from({ length: isSo(20) ? 2 : 1 }, () => trying(() => startCheckout(viewer, asked, key))),
  );
  const { payUrl, reference } = order ?? {};
  if (typeof payUrl === 'string') {
    const done = new Promise<void>((resolve) => paid.set(payUrl, resolve));
    tell({ told: 'pay', payUrl });
    await done;
  }
  // Who does not come back is found by notices and by the clock.
  const seen = reference !== undefined && isSo(70) ? await trying(() => readOrder(viewer, reference)) : null;
  const membership = seen?.membership;
  if (typeof membership === 'string') {
    if (isSo(15)) await trying(() => refundMembership(viewer, membership));
    else if (isSo(35)) await trying(() => cancelMembership(viewer, membership));
  }
  tell({ told: 'bought', accountId });
}

async function checkOut(buyers: readonly Buyer[]): Promise<void> {
  const waiting = [...buyers];
  await atOnce(lanes, async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await buy(next);
  });
}

async function payEarners(earners: readonly Earner[]): Promise<void> {
  await trying(() => releaseEarnings(present()));
  for (const { accountId, portfolioId, portfolio } of earners) {
    const owner = member({ accountId, role: Role.user, pro: false, owns: [portfolioId], subscribes: [] });
    // Asked twice, as by two clicks of which each has a key of its own.
    await Promise.all(
      [1, 2].map((click) =>
        trying(() => payOut(owner, portfolio, CurrencyId.GBP, `payout-${present().getTime()}-${click}`, present())),
      ),
    );
    await trying(sendPayouts);
  }
}

/** The jobs beside which all of it happens. */
async function keepHouse(): Promise<void> {
  await trying(() => expireOrders(present()));
  await trying(() => reconcilePayments(present()));
  await trying(() => watchDisputes(present()));
  await trying(() => reconcileBooks({ from: new Date(present().getTime() - 7 * day), to: present() }, { mend: true }));
}

async function work(order: Task): Promise<void> {
  setProvider(null);
  if (order.dies) dieAt(order.dies);
  tell({ told: 'begun' });
  const works = {
    checkout: () => checkOut(order.buyers),
    renewal: () => trying(() => renewMemberships(present())),
    payout: () => payEarners(order.earners),
  };
  await Promise.all([works[order.work](), sleep(randomInt(100)).then(keepHouse)]);
  tell({ told: 'ended' });
}

async function take(order: Order): Promise<unknown> {
  if ('clock' in order) return Object.assign(clock, { setTo: order.clock, at: performance.now() });
  if ('paid' in order) return paid.get(order.paid)?.();
  if ('notice' in order) return trying(() => takeNotice('stripe', order.notice.headers, order.notice.body));
  return work(order);
}

/** Takes part in the trial as a program of its own, by a clock that is set from outside, until it is killed. */
export async function main(): Promise<number> {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => void decidedAt(present, () => take(JSON.parse(line) as Order)));
  // Whoever asked for it is gone: it does not outlive them.
  lines.once('close', () => process.exit(0));
  tell({ told: 'ready' });
  return new Promise(() => undefined);
}
