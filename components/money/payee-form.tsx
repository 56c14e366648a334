'use client';

import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';

type PayeeFormProps = { portfolio: string | null; words: string; look: 'primary' | 'secondary' };

/** Leads to the provider's pages on which an owner gives what it needs to pay them. */
export function PayeeForm({ portfolio, words, look }: PayeeFormProps) {
  const { form, problem, isSending, isAlive } = useForm(async () => {
    const [{ api }, { leaveFor }] = await Promise.all([import('../state/api'), import('../state/auth-navigation')]);
    const { url } = await api('POST /user/payee', { body: portfolio === null ? {} : { portfolio } });
    leaveFor(url);
  });
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <div>
        <Button type="submit" look={look} disabled={isSending || !isAlive}>
          {words}
        </Button>
      </div>
    </FormStack>
  );
}
