'use client';

import { useState } from 'react';
import { callAddress } from '@/lib/calls';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { codeTexts } from './code-texts';
import { EmailField } from './email-field';
import { FormStack } from '../ui/form-stack';
import { freshForm, type KeptForm } from './kept-form';
import { NewPasswordForm } from './new-password-form';
import { makeProofOfWork } from './proof-of-work';
import { useForm } from '../ui/use-form';

type ForgottenPasswordFormProps = { kept?: KeptForm };

/** Product §3: asks for a code by mail, then for the code and a new password. Nothing tells whether the address has an account. */
export function ForgottenPasswordForm({ kept = freshForm }: ForgottenPasswordFormProps) {
  const [proof] = useState(makeProofOfWork);
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const [isSentAgain, setSentAgain] = useState(false);
  const ask = async (emailAddress: string) => {
    const { api } = await import('../state/api');
    await api('POST /account/forgotten-password', {
      body: { emailAddress, token: await proof.take() },
      bearer: 'none',
    });
  };
  const { form, problem, isSending } = useForm(async (text) => {
    const emailAddress = text('emailAddress').trim();
    await ask(emailAddress);
    setAskedFor(emailAddress);
  }, kept);
  const again = useForm(async () => {
    setSentAgain(false);
    await ask(askedFor ?? '');
    setSentAgain(true);
  });
  if (askedFor !== null) {
    return (
      <>
        <FormMessage kind="success">{codeTexts.password(askedFor)}</FormMessage>
        <NewPasswordForm email={askedFor} />
        <FormStack {...again.form}>
          {again.problem.message && <FormMessage kind="error">{again.problem.message}</FormMessage>}
          {isSentAgain && <FormMessage kind="success">{codeTexts.anotherPassword(askedFor)}</FormMessage>}
          <Button type="submit" look="secondary" disabled={again.isSending}>
            {again.isSending ? 'Asking…' : 'Send a new code'}
          </Button>
        </FormStack>
      </>
    );
  }
  return (
    <FormStack action={callAddress('POST /account/forgotten-password')} method="post" onFocus={proof.prepare} {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <EmailField defaultValue={kept.values.emailAddress} error={problem.fields.emailAddress} />
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Asking…' : 'Send me a code'}
      </Button>
    </FormStack>
  );
}
