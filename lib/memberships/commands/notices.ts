import 'server-only';
import { sql } from 'kysely';
import { providers } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { Failure } from '@/lib/platform/errors';
import { advanceOrder } from './advance';
import { advanceCard } from './cards';

/**
 * Product §8: takes a notice of a provider, however late, doubled or out of order: it makes us read the payment, or the change of a card, again, and nothing in it is believed.
 * Failure 'invalid' for one that the provider has not signed.
 */
export async function takeNotice(
  provider: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<void> {
  const notice =
    (await providers()
      .find(({ name }) => name === provider)
      ?.verifyNotice(headers, body)) ?? null;
  if (!notice)
    throw new Failure('invalid', 'This notice is not signed by the provider of payments. Check the signing secret.');
  const { rows } = await sql<{ reference: string }>`
    select customer_order.reference from payment join customer_order on customer_order.id = order_id where payment.reference = ${notice.payment}
  `.execute(database());
  if (rows[0]) return advanceOrder(rows[0].reference);
  if (notice.payment !== null) await advanceCard(notice.payment);
}
