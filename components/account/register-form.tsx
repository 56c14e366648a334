'use client';

import { useCallback, useEffect, useState } from 'react';
import { callAddress } from '@/lib/calls';
import type { TimeZone } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { PasswordField } from '../ui/password-field';
import { Select, type SelectChoice } from '../ui/select';
import { SiteLink } from '../ui/site-link';
import { useLoaded } from '../ui/use-loaded';
import type { Intent } from '../state/after-login';
import { FormStack } from '../ui/form-stack';
import { guessCountry, guessTimeZone, readDevice } from './guess-place';
import { freshForm, type KeptForm } from './kept-form';
import { makeProofOfWork } from './proof-of-work';
import { useForm } from '../ui/use-form';

type RegisterFormProps = {
  /** The countries by their two letters. */
  countries: readonly SelectChoice[];
  zones: readonly TimeZone[];
  /** The zones with their offsets of today, by id. */
  zoneChoices: readonly SelectChoice[];
  /** What stands for country and time zone until the device says more. */
  place: { location: string; timezoneId: string };
  redirectTo?: string | undefined;
  /** What one signs up for. */
  intent?: Intent | undefined;
  /** True where a geocoder can tell the country. */
  canLocate?: boolean;
  kept?: KeptForm;
};

const loadLocate = () => import('./locate-button');

const isTicked = (value: string) => value === 'true';

/** Spec §5, product §3: opens an account and signs in to it; its e-mail address is confirmed next. */
export function RegisterForm({
  countries,
  zones,
  zoneChoices,
  place,
  redirectTo,
  intent,
  canLocate = false,
  kept = freshForm,
}: RegisterFormProps) {
  const [proof] = useState(makeProofOfWork);
  const locate = useLoaded(canLocate ? loadLocate : null);
  const { form, problem, isSending } = useForm(async (text) => {
    const [{ api }, { enter }, { goOn }] = await Promise.all([
      import('../state/api'),
      import('../state/session'),
      import('../state/go-on'),
    ]);
    const affiliate = await (await import('../state/affiliate')).readAffiliateCode();
    const body = {
      email: text('email').trim(),
      username: text('username').trim(),
      password: text('password'),
      location: text('location'),
      timezoneId: Number(text('timezoneId')),
      news: isTicked(text('news')),
      terms: isTicked(text('terms')),
      token: await proof.take(),
      ...(affiliate ? { affiliate } : {}),
    };
    if (intent) await (await import('../state/after-login')).keepIntent(intent);
    await enter(api('POST /account/register', { body, bearer: 'none' }));
    goOn(redirectTo ?? routes.dashboard());
  }, kept);
  const { ref } = form;
  const choose = useCallback(
    (name: string) => (value: string) => {
      const select = ref.current?.elements.namedItem(name);
      if (select instanceof HTMLSelectElement) select.value = value;
    },
    [ref],
  );

  useEffect(() => {
    const device = readDevice();
    const guesses = {
      location: guessCountry(
        device,
        countries.map(({ value }) => ({ iso2: String(value) })),
      )?.iso2,
      timezoneId: guessTimeZone(device, zones, new Date())?.id,
    };
    for (const [name, guess] of Object.entries(guesses)) {
      const select = ref.current?.elements.namedItem(name);
      const isUntouched = select instanceof HTMLSelectElement && select.selectedOptions[0]?.defaultSelected === true;
      if (guess !== undefined && kept.values[name] === undefined && isUntouched) choose(name)(String(guess));
    }
  }, [countries, zones, kept, choose, ref]);

  const { fields } = problem;
  return (
    <FormStack action={callAddress('POST /account/register')} method="post" onFocus={proof.prepare} {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      {redirectTo && <input type="hidden" name="redirect_to" value={redirectTo} />}
      <Field
        name="email"
        type="email"
        label="E-mail address"
        autoComplete="email"
        maxLength={254}
        required
        data-missing="Enter your e-mail address."
        defaultValue={kept.values.email}
        error={fields.email}
      />
      <Field
        name="username"
        label="Username"
        hint="Your public name: letters, digits and single hyphens."
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        minLength={3}
        maxLength={40}
        pattern="[A-Za-z0-9]+(-[A-Za-z0-9]+)*"
        data-mismatch="Use letters, digits and single hyphens only."
        required
        data-missing="Choose a username."
        defaultValue={kept.values.username}
        error={fields.username}
      />
      <PasswordField
        name="password"
        label="Password"
        hint="10 characters or more. A few unrelated words work well."
        autoComplete="new-password"
        minLength={10}
        maxLength={128}
        required
        data-missing="Choose a password."
        error={fields.password}
      />
      <Select
        name="location"
        label="Country"
        autoComplete="country"
        choices={countries}
        defaultValue={kept.values.location ?? place.location}
        error={fields.location}
      />
      {locate.kind === 'loaded' && (
        <locate.value.LocateButton fallback={place.location} onLocated={choose('location')} />
      )}
      <Select
        name="timezoneId"
        label="Time zone"
        choices={zoneChoices}
        defaultValue={kept.values.timezoneId ?? place.timezoneId}
        error={fields.timezoneId}
      />
      <FieldCheck
        name="news"
        label="Tipledger may e-mail me its own news. I can turn this off under Notifications."
        defaultChecked={kept.values.news === 'true'}
        error={fields.news}
      />
      <FieldCheck
        name="terms"
        label={
          <>
            I am 18 or older and accept the{' '}
            <SiteLink href={routes.content('pages', 'terms-and-conditions')}>terms</SiteLink> and the{' '}
            <SiteLink href={routes.content('pages', 'privacy-policy')}>privacy policy</SiteLink>.
          </>
        }
        required
        data-missing="Tick this to sign up: you must be 18 or over and accept the terms."
        defaultChecked={kept.values.terms === 'true'}
        error={fields.terms}
      />
      <Button type="submit" disabled={isSending}>
        {isSending ? 'Creating your account…' : 'Sign up'}
      </Button>
    </FormStack>
  );
}
