'use client';

import { useState } from 'react';
import { formatAmount } from '@/lib/amounts';
import { markOfTerms } from '@/lib/memberships/rules';
import type { Terms } from '@/lib/memberships/schema';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';

type CheckoutFormProps = { portfolio: string | null; terms: Terms; from: string | null };

/** The button that orders a plan at the price and on the terms that stand above it, and goes on to where it is paid. */
export function CheckoutForm({ portfolio, terms, from }: CheckoutFormProps) {
  const [attempt] = useState(() => new Attempt());
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const [{ api }, { keepCheckout }, { leaveFor }] = await Promise.all([
      import('../state/api'),
      import('../state/checkout'),
      import('../state/auth-navigation'),
    ]);
    const { period, currencyId, amountMinor, coupon } = terms;
    const body = {
      ...(portfolio === null ? {} : { portfolio }),
      period,
      currencyId,
      amountMinor,
      seen: markOfTerms(terms),
      ...(coupon === null ? {} : { coupon }),
    };
    const order = await api('POST /user/orders', { body, idempotencyKey: attempt.keyFor(body) });
    if (order.status === 'cancelled' || order.status === 'expired' || order.status === 'failed') attempt.end();
    await keepCheckout({ order: order.reference, from, _expires: order._expires });
    leaveFor(order.payUrl ?? `/dashboard/orders/${order.reference}`);
  });
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <div>
        <Button type="submit" disabled={isSending || !isAlive}>
          {isSending
            ? 'One moment…'
            : terms.amountMinor === 0
              ? 'Start and save a card'
              : `Join and pay ${formatAmount(terms.amountMinor, terms.currencyId)}`}
        </Button>
      </div>
    </FormStack>
  );
}
