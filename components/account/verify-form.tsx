'use client';

import { useState } from 'react';
import { callAddress } from '@/lib/calls';
import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { SiteLink } from '../ui/site-link';
import { CodeField } from './code-field';
import { codeTexts } from './code-texts';
import { EmailField } from './email-field';
import { FormStack } from '../ui/form-stack';
import { freshForm, type KeptForm } from './kept-form';
import { useForm } from '../ui/use-form';

type VerifyFormProps = {
  /** The address that the code went to; null when nobody is known to be signed in. */
  email: string | null;
  /** The path of this site to go on to, already known to be one. */
  redirectTo?: string | undefined;
  kept?: KeptForm;
  /** The form that asks for another code, where it was sent without script and refused. */
  keptAgain?: KeptForm;
  /** Set where another code was asked for without script: then nobody looked whether one will be sent. */
  isAskedAgain?: boolean;
};

/** Spec §5, product §3: confirms an e-mail address by the six digits that were sent to it, both trimmed; another code can be asked for. */
export function VerifyForm({
  email,
  redirectTo,
  kept = freshForm,
  keptAgain = freshForm,
  isAskedAgain = false,
}: VerifyFormProps) {
  const [saidAgain, setSaidAgain] = useState(isAskedAgain ? codeTexts.confirm : null);
  const [isForPassword, setForPassword] = useState(false);
  const address = kept.values.emailAddress ?? email ?? '';
  const { form, problem, isSending } = useForm(async (text) => {
    const [{ api }, { reloadUser }, { leaveFor }] = await Promise.all([
      import('../state/api'),
      import('../state/session'),
      import('../state/auth-navigation'),
    ]);
    setForPassword(false);
    const { purpose } = await api('POST /account/verify-code', {
      body: { emailAddress: text('emailAddress').trim(), code: text('code').trim() },
      bearer: 'none',
    });
    if (purpose === 'password') return setForPassword(true);
    await reloadUser();
    leaveFor(redirectTo ?? routes.dashboard());
  }, kept);
  const again = useForm(async (text) => {
    setSaidAgain(null);
    const { api } = await import('../state/api');
    await api('POST /account/resend-code', email ? {} : { body: { emailAddress: text('emailAddress').trim() } });
    setSaidAgain(
      email ? `A new code is on its way to ${email}. Once it is there, only that one works.` : codeTexts.confirm,
    );
  }, keptAgain);
  return (
    <>
      <FormStack action={callAddress('POST /account/verify-code')} method="post" {...form}>
        {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
        {isForPassword && (
          <FormMessage kind="error">
            This code is for a new password. Enter the code from the other e-mail, or send a new one. To change your
            password, go to <SiteLink href={routes.forgottenPassword()}>Forgotten password</SiteLink>.
          </FormMessage>
        )}
        {redirectTo && <input type="hidden" name="redirect_after_verify" value={redirectTo} />}
        {email ? (
          <input type="hidden" name="emailAddress" value={email} />
        ) : (
          <EmailField defaultValue={address} error={problem.fields.emailAddress} />
        )}
        <CodeField error={problem.fields.code} />
        <Button type="submit" disabled={isSending}>
          {isSending ? 'Confirming…' : 'Confirm'}
        </Button>
      </FormStack>
      <FormStack action={callAddress('POST /account/resend-code')} method="post" {...again.form}>
        {redirectTo && <input type="hidden" name="redirect_after_verify" value={redirectTo} />}
        {email ? (
          <input type="hidden" name="emailAddress" value={email} />
        ) : (
          <EmailField
            label="No e-mail? Your e-mail address"
            defaultValue={keptAgain.values.emailAddress ?? address}
            error={again.problem.fields.emailAddress}
          />
        )}
        {again.problem.message && <FormMessage kind="error">{again.problem.message}</FormMessage>}
        {saidAgain && <FormMessage kind="success">{saidAgain}</FormMessage>}
        <Button type="submit" look="secondary" disabled={again.isSending}>
          Send a new code
        </Button>
      </FormStack>
    </>
  );
}
