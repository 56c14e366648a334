'use client';

import { callAddress } from '@/lib/calls';
import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FormMessage } from '../ui/form-message';
import { PasswordField } from '../ui/password-field';
import { SiteLink } from '../ui/site-link';
import type { Intent } from '../state/after-login';
import { FormStack } from '../ui/form-stack';
import { freshForm, type KeptForm } from './kept-form';
import { useForm } from '../ui/use-form';

type LoginFormProps = {
  /** The path of this site to go on to, already known to be one. */
  redirectTo?: string | undefined;
  /** What one signs in for. */
  intent?: Intent | undefined;
  kept?: KeptForm;
};

/** Spec §5: signs in with the username, trimmed, and the password as given; without script the browser sends the same form. */
export function LoginForm({ redirectTo, intent, kept = freshForm }: LoginFormProps) {
  const { form, problem, isSending } = useForm(async (text) => {
    const [{ signIn }, { goOn }] = await Promise.all([import('../state/session'), import('../state/go-on')]);
    if (intent) await (await import('../state/after-login')).keepIntent(intent);
    await signIn({ username: text('username'), password: text('password') });
    goOn(redirectTo ?? routes.dashboard());
  }, kept);
  return (
    <FormStack action={callAddress('POST /auth/token')} method="post" {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      {redirectTo && <input type="hidden" name="redirect_to" value={redirectTo} />}
      <Field
        name="username"
        label="Username or e-mail address"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        data-missing="Enter your username or e-mail address."
        defaultValue={kept.values.username}
        error={problem.fields.username}
      />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="current-password"
        required
        data-missing="Enter your password."
        error={problem.fields.password}
      />
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Logging in…' : 'Log in'}
      </Button>
      <p>
        <SiteLink href={routes.forgottenPassword()}>Forgotten your password?</SiteLink>
      </p>
    </FormStack>
  );
}
