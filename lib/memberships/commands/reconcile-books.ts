import 'server-only';
import {
  bookMoves,
  compareWithProviders,
  keepDifferences,
  keepReconciled,
  listPeriodsLeft,
  readReconciled,
  sendPayouts,
  sendRefunds,
} from '@/lib/money/commands';
import type { MoneyDifference } from '@/lib/money/schema';
import { log } from '@/lib/platform/log';
import { advanceOrder } from './advance';

/**
 * Product §8: compares a period of the providers with ours, and where it may mend, reads again what differs, has what is owed given and paid, and books what the providers
 * changed by themselves; gives what was found and what remains, which a person has to look at. What remains after mending is logged, and kept for staff (0090).
 */
export async function reconcileBooks(
  period: { from: Date; to: Date },
  { mend }: { mend: boolean },
): Promise<{ found: MoneyDifference[]; remaining: MoneyDifference[] }> {
  const found = await compareWithProviders(period);
  if (!mend) return { found, remaining: found };
  const curable = found.filter(({ canMend }) => canMend);
  const remaining = curable.length === 0 ? found : await mendIn(period, curable);
  for (const difference of await keepDifferences(period, remaining))
    log.error({ event: 'money_differs', ...difference });
  return { found, remaining };
}

async function mendIn(
  period: { from: Date; to: Date },
  curable: readonly MoneyDifference[],
): Promise<MoneyDifference[]> {
  for (const order of new Set(curable.flatMap((each) => each.order ?? [])))
    await advanceOrder(order).catch((error: unknown) =>
      log.error({ event: 'order_failed', order, message: error instanceof Error ? error.message : String(error) }),
    );
  await sendRefunds();
  await sendPayouts();
  await bookMoves(period);
  return compareWithProviders(period);
}

const weekMilliseconds = 7 * 86_400_000;

/**
 * Product §8: reconciles the last week and what was not reconciled before it, a week at a time, so that what breaks off goes on from there, and then again the times of older differences that
 * are still open; gives what remains.
 */
export async function reconcileOn(now: Date): Promise<MoneyDifference[]> {
  const remaining = new Map<string, MoneyDifference>();
  const reconcile = async (period: { from: Date; to: Date }) => {
    // What lies at the edge of two weeks is found in both.
    for (const each of (await reconcileBooks(period, { mend: true })).remaining)
      remaining.set(JSON.stringify(each), each);
  };
  const until = (await readReconciled()) ?? now;
  for (let from = new Date(Math.min(until.getTime(), now.getTime() - weekMilliseconds)); from < now; ) {
    const to = new Date(Math.min(from.getTime() + weekMilliseconds, now.getTime()));
    await reconcile({ from, to });
    await keepReconciled(to);
    from = to;
  }
  for (const period of await listPeriodsLeft([...remaining.values()])) await reconcile(period);
  return [...remaining.values()];
}
