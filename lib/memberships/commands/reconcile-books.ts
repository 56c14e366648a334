import 'server-only';
import { compareWithProviders, sendPayouts, sendRefunds } from '@/lib/money/commands';
import type { MoneyDifference } from '@/lib/money/schema';
import { log } from '@/lib/platform/log';
import { advanceOrder } from './advance';

/**
 * Product §8: compares a period of the providers with ours, and where it may mend, reads again what differs and has what is owed given and paid; gives what was found and what
 * remains, which a person has to look at. A difference that remains after mending is logged.
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
  return told(found, await compareWithProviders(period), mend);
}

function told(found: MoneyDifference[], remaining: MoneyDifference[], mend: boolean) {
  if (mend) for (const difference of remaining) log.error({ event: 'money_differs', ...difference });
  return { found, remaining };
}
