'use client';

import { useEffect, useRef, useState } from 'react';
import { routes } from '@/lib/routes';
import { useForm } from '../account/use-form';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FormMessage } from '../ui/form-message';
import styles from './owner-abandon.module.scss';

type OwnerAbandonProps = {
  portfolio: { reference: string; name: string; premiumMembers: number };
  /** The name of the portfolio that is current afterwards, null when none is left. */
  nextName: string | null;
};

/** Spec §4: abandons a portfolio in two steps: what it means, then its name typed. */
export function OwnerAbandon({ portfolio: { reference, name, premiumMembers }, nextName }: OwnerAbandonProps) {
  const [isAsking, setAsking] = useState(false);
  const [wrongName, setWrongName] = useState<string | null>(null);
  const [attempt] = useState(() => new Attempt());
  const question = useRef<HTMLParagraphElement>(null);
  const { form, problem, isSending } = useForm(async (text) => {
    const isNamed = text('abandonedName').trim() === name;
    setWrongName(isNamed ? null : `This is not the name. Type: ${name}`);
    if (!isNamed) return;
    const [{ api }, { reloadUser }, { choosePortfolio }, { goOn }] = await Promise.all([import('../state/api'), import('../state/session'), import('../state/viewer'), import('../account/go-on')]);
    const { next } = await api<{ next: string | null }>(`/user/portfolio/${reference}/abandon`, { method: 'POST', idempotencyKey: attempt.keyFor(reference) });
    await choosePortfolio(next);
    await reloadUser();
    goOn(routes.dashboard('services', { abandoned: reference }));
  });

  useEffect(() => {
    if (isAsking) question.current?.focus();
  }, [isAsking]);

  return (
    <div className={styles.abandon}>
      <p>Its page, its tips and its record stay, and say that it is no longer kept. Nothing new is published in it, and nobody can take it up again.</p>
      {isAsking ? (
        <form className={styles.question} {...form}>
          <p ref={question} tabIndex={-1}>
            <strong>This cannot be undone.</strong> {nextName ? `${nextName} will be your current portfolio.` : 'You have no other portfolio.'}
            {premiumMembers > 0 && ` ${premiumMembers === 1 ? 'One member has' : `${premiumMembers} members have`} paid for it, and can read it until the membership ends.`}
          </p>
          <Field name="abandonedName" label={`Type its name to abandon it: ${name}`} autoComplete="off" required data-missing="Type the name of the portfolio." error={wrongName ?? problem.fields.abandonedName} />
          {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
          <div className={styles.buttons}>
            <Button type="submit" disabled={isSending || !form.noValidate}>
              {isSending ? 'Abandoning…' : 'Abandon for good'}
            </Button>
            <Button look="secondary" onClick={() => setAsking(false)}>
              Keep the portfolio
            </Button>
          </div>
        </form>
      ) : (
        <Button look="secondary" onClick={() => setAsking(true)}>
          Abandon this portfolio
        </Button>
      )}
    </div>
  );
}
