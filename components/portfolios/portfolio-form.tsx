'use client';

import { useRef, useState } from 'react';
import type { ManagedPortfolio } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { FormStack } from '../ui/form-stack';
import { type FieldText, useForm } from '../ui/use-form';
import { MarkdownField } from '../content/markdown-field';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FormMessage } from '../ui/form-message';
import { Select } from '../ui/select';
import { TwoStepQuestion } from '../ui/two-step-question';
import { endedMemberships } from './ended-memberships';
import { FaceField } from './face-field';

type PortfolioFormProps = {
  /** The portfolio that is changed, null for a new one. */
  portfolio: ManagedPortfolio | null;
  limits: { shortestName: number; longestName: number; longestDescription: number; longestWelcome: number };
};

const kinds = [
  { value: PortfolioVisibility.public, title: 'Public: everyone can see it' },
  { value: PortfolioVisibility.premium, title: 'Premium: you choose which tips and posts are for members only' },
  { value: PortfolioVisibility.hidden, title: 'Hidden: anyone with the address can see it' },
  { value: PortfolioVisibility.personal, title: 'Personal: only you can see it' },
];

function valuesOf(text: FieldText) {
  return {
    name: text('name'),
    description: text('description'),
    visibility: Number(text('visibility')) as PortfolioVisibility,
    defaultTipStakeHundredths: Math.round(Number(text('defaultTipStakeHundredths')) * 100),
    welcomeMessage: text('welcomeMessage'),
    premiumWelcomeMessage: text('premiumWelcomeMessage'),
  };
}

const storedIn = ({
  name,
  description,
  type,
  defaultTipStake,
  welcomeMessage,
  premiumWelcomeMessage,
}: ManagedPortfolio): ReturnType<typeof valuesOf> => ({
  name,
  description,
  visibility: type,
  defaultTipStakeHundredths: Math.round(defaultTipStake * 100),
  welcomeMessage,
  premiumWelcomeMessage,
});

/** Creates a portfolio, or changes what its owner says of it; what another window has changed meanwhile is not written over. */
export function PortfolioForm({ portfolio, limits }: PortfolioFormProps) {
  const [attempt] = useState(() => new Attempt());
  const [saved, setSaved] = useState<ManagedPortfolio | null>(portfolio);
  // What the fields showed when it was loaded or sent last: what another window saved since is in `saved`, not in them.
  const [before, setBefore] = useState(portfolio && storedIn(portfolio));
  const [isSaved, setIsSaved] = useState(false);
  const [isAskedToHide, setAskedToHide] = useState(false);
  const kind = useRef<HTMLSelectElement>(null);
  const { form, problem, isSending, isAlive } = useForm(async (text) => {
    setIsSaved(false);
    const [{ api }, { reloadUser }, { choosePortfolio }, { goOn }] = await Promise.all([
      import('../state/api'),
      import('../state/session'),
      import('../state/viewer'),
      import('../state/go-on'),
    ]);
    const values = valuesOf(text);
    if (!saved) {
      const { reference } = await api('POST /user/portfolio', {
        body: values,
        idempotencyKey: attempt.keyFor(values),
      });
      await reloadUser();
      // Their first tip is for this one.
      await choosePortfolio(reference);
      return goOn(routes.ownPortfolioPage(reference, 'manage'));
    }
    const changed = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => before?.[name as keyof typeof values] !== value),
    );
    const endsMemberships =
      changed.visibility === PortfolioVisibility.hidden &&
      saved.type === PortfolioVisibility.premium &&
      saved.premiumMembers > 0;
    if (endsMemberships && !isAskedToHide) return setAskedToHide(true);
    if (Object.keys(changed).length > 0) {
      const body = { reference: saved.reference, ...changed };
      setSaved(
        await api('PUT /user/portfolio', {
          body,
          idempotencyKey: attempt.keyFor([body, saved]),
        }),
      );
      setBefore(values);
      setAskedToHide(false);
      await reloadUser();
    }
    setIsSaved(true);
  });
  const keepPremium = () => {
    if (kind.current) kind.current.value = String(PortfolioVisibility.premium);
    kind.current?.focus();
    setAskedToHide(false);
  };
  const isPersonal = saved?.type === PortfolioVisibility.personal;
  const choices = saved ? kinds.filter(({ value }) => (value === PortfolioVisibility.personal) === isPersonal) : kinds;
  return (
    <FormStack {...form}>
      {saved && <FaceField portfolio={saved} onSaved={setSaved} />}
      <noscript>
        <p>JavaScript is off in your browser. Turn it on to send this form.</p>
      </noscript>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <Field
        name="name"
        label="Name"
        hint={
          saved
            ? 'The address of the portfolio stays as it is.'
            : 'The address is made from the name and never changes.'
        }
        minLength={limits.shortestName}
        maxLength={limits.longestName}
        required
        data-missing="Give the portfolio a name."
        defaultValue={portfolio?.name}
        error={problem.fields.name}
      />
      <Select
        ref={kind}
        name="visibility"
        onChange={() => setAskedToHide(false)}
        label="Kind"
        hint={
          isPersonal
            ? 'A personal portfolio stays personal.'
            : saved
              ? 'A portfolio with members becomes public only once their memberships have ended. Hiding it ends them.'
              : 'A personal portfolio is not on the public record, and stays personal for good.'
        }
        choices={choices}
        defaultValue={portfolio?.type ?? PortfolioVisibility.public}
        error={problem.fields.visibility}
      />
      <MarkdownField
        name="description"
        label="Description"
        hint="What you tip on, and how you choose. Markdown."
        rows={8}
        maxLength={limits.longestDescription}
        defaultValue={portfolio?.description}
        error={problem.fields.description}
      />
      <Field
        name="defaultTipStakeHundredths"
        label="Stake of a new tip, in units"
        hint="The stake that the add-tips page starts with."
        type="number"
        inputMode="decimal"
        min={0.1}
        max={10}
        step={0.01}
        required
        data-missing="Enter a stake."
        data-mismatch="Enter a stake from 0.1 to 10 units with two decimal places at most."
        defaultValue={portfolio?.defaultTipStake ?? 1}
        error={problem.fields.defaultTipStakeHundredths}
      />
      <MarkdownField
        name="welcomeMessage"
        label="Welcome to followers"
        rows={4}
        maxLength={limits.longestWelcome}
        defaultValue={portfolio?.welcomeMessage}
        error={problem.fields.welcomeMessage}
      />
      <MarkdownField
        name="premiumWelcomeMessage"
        label="Welcome to members"
        rows={4}
        maxLength={limits.longestWelcome}
        defaultValue={portfolio?.premiumWelcomeMessage}
        error={problem.fields.premiumWelcomeMessage}
      />
      {isSaved && <FormMessage kind="success">The portfolio was saved.</FormMessage>}
      {saved && isAskedToHide ? (
        <TwoStepQuestion
          question={endedMemberships(saved.premiumMembers)}
          words={{ confirm: 'Hide the portfolio', sending: 'Hiding…', leave: 'Keep it premium' }}
          isSending={isSending}
          onLeave={keepPremium}
        />
      ) : (
        <div>
          <Button type="submit" disabled={isSending || !isAlive}>
            {isSending ? 'Saving…' : saved ? 'Save the portfolio' : 'Create the portfolio'}
          </Button>
        </div>
      )}
    </FormStack>
  );
}
