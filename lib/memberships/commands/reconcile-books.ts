import 'server-only';
import {
  bookMoves,
  compareWithProviders,
  keepReconciled,
  readReconciled,
  sendPayouts,
  sendRefunds,
} from '@/lib/money/commands';
import type { MoneyDifference } from '@/lib/money/schema';
import { log } from '@/lib/platform/log';
import { advanceOrder } from './advance';

/**
 * Product §8: compares a period of the providers with ours, and where it may mend, reads again what differs, has what is owed given and paid, and books what the providers
 * changed by themselves; gives what was found and what remains, which a person has to look at. A difference that remains after mending is logged.
 */
export async function reconcileBooks(
  period: { from: Date; to: Date },
  { mend }: { mend: boolean },
): Promise<{ found: MoneyDifference[]; remaining: MoneyDifference[] }> {
  const found = await compareWithProviders(period);
  const curable = found.filter(({ canMend }) => canMend);
  if (!mend || curable.length === 0) return told(found, found, mend);
  for (const order of new Set(curable.flatMap((each) => each.order ?? [])))
    await advanceOrder(order).catch((error: unknown) =>
      log.error({ event: 'order_failed', order, message: error instanceof Error ? error.message : String(error) }),
    );
  await sendRefunds();
  await sendPayouts();
  await bookMoves(period);
  return told(found, await compareWithProviders(period), mend);
}

function told(found: MoneyDifference[], remaining: MoneyDifference[], mend: boolean) {
  if (mend) for (const difference of remaining) log.error({ event: 'money_differs', ...difference });
  return { found, remaining };
}

const weekMilliseconds = 7 * 86_400_000;

/** Product §8: reconciles the last week and what was not reconciled before it, a week at a time, so that what breaks off goes on from there; gives what remains. */
export async function reconcileOn(now: Date): Promise<MoneyDifference[]> {
  const remaining = new Map<string, MoneyDifference>();
  const until = (await readReconciled()) ?? now;
  for (let from = new Date(Math.min(until.getTime(), now.getTime() - weekMilliseconds)); from < now; ) {
    const to = new Date(Math.min(from.getTime() + weekMilliseconds, now.getTime()));
    // What lies at the edge of two weeks is found in both.
    for (const each of (await reconcileBooks({ from, to }, { mend: true })).remaining)
      remaining.set(JSON.stringify(each), each);
    await keepReconciled(to);
    from = to;
  }
  return [...remaining.values()];
}
