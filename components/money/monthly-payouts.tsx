'use client';

import { useState } from 'react';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';

/** Lets an owner be paid each month without asking, or no more; it holds for all their portfolios and for what they earn as an affiliate. */
export function MonthlyPayouts({ monthly: first }: { monthly: boolean }) {
  const [attempt] = useState(() => new Attempt());
  const [monthly, setMonthly] = useState(first);
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const { api } = await import('../state/api');
    const body = { monthly: !monthly };
    setMonthly((await api('PUT /user/payouts', { body, idempotencyKey: attempt.keyFor(body) })).monthly);
    attempt.end();
  });
  return (
    <FormStack {...form}>
      <p>
        {monthly
          ? 'You are paid each month: in its first days we request everything that is payable to you, in each currency where it comes to 25 or more. This covers all your portfolios and your affiliate fees.'
          : 'You request each payout yourself. If you prefer, we request everything that is payable to you in the first days of each month, in each currency where it comes to 25 or more.'}
      </p>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <div>
        <Button type="submit" look="secondary" size="small" disabled={isSending || !isAlive}>
          {monthly ? 'Stop monthly payouts' : 'Pay me each month'}
        </Button>
      </div>
    </FormStack>
  );
}
