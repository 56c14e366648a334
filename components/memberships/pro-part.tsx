'use client';

import { useState } from 'react';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';

type ProPartProps = { portfolio: string; tipledgerPro: boolean; sells: boolean };

/** Lets a portfolio take part in Pro, or no more; who sells nothing is told what to do first. */
export function ProPart({ portfolio, tipledgerPro: first, sells }: ProPartProps) {
  const [attempt] = useState(() => new Attempt());
  const [isPart, setPart] = useState(first);
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const { api } = await import('../state/api');
    const body = { tipledgerPro: !isPart };
    const answer = await api('PUT /user/portfolio/{reference}/pro', {
      params: { reference: portfolio },
      body,
      idempotencyKey: attempt.keyFor(body),
    });
    setPart(answer.tipledgerPro);
  });
  return (
    <FormStack {...form}>
      <p>
        {isPart
          ? 'This portfolio takes part in Tipledger Pro: members of Pro can add it to their team. 70% of what they pay, after tax, is shared among the team by days in it.'
          : 'Members of Tipledger Pro choose a team of five portfolios. Take part, and you are paid for each day in a team: 70% of what they pay, after tax, is shared among the team.'}
        {!isPart && !sells && ' Put a plan on sale first.'}
      </p>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <div>
        <Button type="submit" look="secondary" disabled={isSending || (!isPart && !sells) || !isAlive}>
          {isPart ? 'Leave Pro' : 'Take part in Pro'}
        </Button>
      </div>
    </FormStack>
  );
}
