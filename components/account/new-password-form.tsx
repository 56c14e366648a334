'use client';

import { useState } from 'react';
import { callAddress } from '@/lib/calls';
import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { ButtonLink } from '../ui/button-link';
import { FormMessage } from '../ui/form-message';
import { PasswordField } from '../ui/password-field';
import { CodeField } from './code-field';
import { EmailField } from './email-field';
import { FormStack } from '../ui/form-stack';
import { freshForm, type KeptForm } from './kept-form';
import { useForm } from '../ui/use-form';

type NewPasswordFormProps = { email?: string; guid?: string | undefined; kept?: KeptForm };

/** Spec §7: a new password for the code of a mail with its address, or for the guid of the mail's link. Every login ends with it. */
export function NewPasswordForm({ email = '', guid, kept = freshForm }: NewPasswordFormProps) {
  const [isDone, setDone] = useState(false);
  const { form, problem, isSending } = useForm(async (text) => {
    const [{ api }, { signOut }] = await Promise.all([import('../state/api'), import('../state/session')]);
    const proofOfOwner = guid ? { guid } : { emailAddress: text('emailAddress').trim(), code: text('code').trim() };
    await api('POST /account/change-password', {
      body: { newPassword: text('newPassword'), ...proofOfOwner },
      bearer: 'none',
    });
    await signOut();
    setDone(true);
  }, kept);
  if (isDone) {
    return (
      <>
        <FormMessage kind="success">Your password has been changed, and all your other logins have ended.</FormMessage>
        <ButtonLink href={routes.login()}>Log in</ButtonLink>
      </>
    );
  }
  return (
    <FormStack action={callAddress('POST /account/change-password')} method="post" {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      {guid ? (
        <input type="hidden" name="guid" value={guid} />
      ) : (
        <>
          <EmailField defaultValue={kept.values.emailAddress ?? email} error={problem.fields.emailAddress} />
          <CodeField error={problem.fields.code} />
        </>
      )}
      <PasswordField
        name="newPassword"
        label="New password"
        hint="10 characters or more. A few unrelated words work well."
        autoComplete="new-password"
        minLength={10}
        maxLength={128}
        required
        data-missing="Choose a password."
        error={problem.fields.newPassword}
      />
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Changing…' : 'Change the password'}
      </Button>
    </FormStack>
  );
}
