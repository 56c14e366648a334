'use client';

import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';

/** Product §11: shows the second factor of a member of staff, by a code of the authenticator or a recovery code, and goes on. */
export function FactorForm({ target }: { target: string }) {
  const { form, problem, isSending, isAlive } = useForm(async (text) => {
    const { api } = await import('../state/api');
    await api('POST /admin/second-factor', { body: { code: text('code') } });
    location.assign(target);
  });
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <Field
        name="code"
        label="Code"
        hint="Without your phone: one of your recovery codes, each of which is good once. With neither, ask a super admin to reset it."
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={40}
        data-missing="Enter the code."
        error={problem.fields.code}
      />
      <div>
        <Button type="submit" disabled={isSending || !isAlive}>
          {isSending ? 'One moment…' : 'Go on'}
        </Button>
      </div>
    </FormStack>
  );
}
