'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { readAmount, writeAmount } from '@/lib/bets/rules';
import type { AutobetRuleInput, AutobetRuleView } from '@/lib/bets/schema';
import { readOdds, writeOdds } from '@/lib/odds/rules';
import { type Currency, CurrencyId, type OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { api } from '../state/api';
import { showFeedback } from '../state/modals';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { Select } from '../ui/select';
import { unitOf } from '../ui/unit-of';
import { type FieldText, type FieldTexts, useForm } from '../ui/use-form';
import styles from './autobets.module.scss';

type AutobetFormProps = {
  tipster: { reference: string; name: string };
  rule: AutobetRuleView | null;
  currencies: readonly Currency[];
  betCurrencyId: CurrencyId;
  sports: readonly { reference: string; name: string }[];
  oddsDisplay: OddsDisplay;
};

const shortest = 1_001;

const refused = (fields: Record<string, string>) => Object.assign(new Error('Correct what is marked.'), { fields });

type Given = Pick<AutobetFormProps, 'currencies' | 'oddsDisplay'>;

function inputFrom(text: FieldText, all: FieldTexts, { currencies, oddsDisplay }: Given): AutobetRuleInput {
  const currency = currencies.find(({ id }) => id === Number(text('currency'))) ?? currencies[0];
  const digits = currency?.minorDigits ?? 2;
  const amount = (field: string): number => {
    const minor = readAmount(text(field), digits);
    if (minor === null || minor < 1)
      throw refused({ [field]: `Enter an amount${digits > 0 ? `, with ${digits} decimal places at most` : ''}.` });
    return minor;
  };
  const typed = text('leastOdds').trim();
  const read = typed === '' ? null : readOdds(typed, oddsDisplay);
  if (read && !read.ok) throw refused({ leastOdds: read.problem });
  return {
    enabled: text('enabled') === 'true',
    unitMinor: amount('unit'),
    mostMinor: amount('most'),
    currencyId: currency?.id ?? CurrencyId.UNITS,
    leastOddsThousandths: read?.price.oddsThousandths ?? shortest,
    sports: all('sports'),
  };
}

const names: Record<string, string> = {
  unitMinor: 'unit',
  mostMinor: 'most',
  leastOddsThousandths: 'leastOdds',
  currencyId: 'currency',
};

/** Product §8: the rule by which a tipster's tips become bets in one's own record. */
export function AutobetForm({ tipster, rule, currencies, betCurrencyId, sports, oddsDisplay }: AutobetFormProps) {
  const router = useRouter();
  const [attempt] = useState(() => new Attempt());
  const [isLeaving, setLeaving] = useState(false);
  const chosen = currencies.find(({ id }) => id === (rule?.currencyId ?? betCurrencyId)) ?? currencies[0];
  const shown = (minor: number) => writeAmount(minor, chosen?.minorDigits ?? 2);
  const params = { reference: tipster.reference };

  const { form, problem, isSending, isAlive } = useForm(async (text, all) => {
    const body = inputFrom(text, all, { currencies, oddsDisplay });
    try {
      await api('PUT /user/autobets/{reference}', { params, body, idempotencyKey: attempt.keyFor(body) });
    } catch (error) {
      throw withOwnNames(error);
    }
    // Setting the same again does no harm, and is meant where the rule was changed elsewhere meanwhile.
    attempt.end();
    showFeedback({
      title: body.enabled ? 'Autobet is on' : 'Autobet is off',
      text: body.enabled
        ? `New tips of ${tipster.name} that meet your rule are recorded in your bets.`
        : `Tips of ${tipster.name} are not recorded for you.`,
      kind: 'success',
    });
    router.push(routes.autobets());
    router.refresh();
  });

  async function remove(): Promise<void> {
    setLeaving(true);
    try {
      await api('DELETE /user/autobets/{reference}', { params, idempotencyKey: attempt.keyFor('remove') });
      attempt.end();
      router.refresh();
    } catch (error) {
      showFeedback({
        title: 'Error',
        text: error instanceof Error ? error.message : 'The rule could not be removed. Please try again later.',
        kind: 'error',
      });
    }
    setLeaving(false);
  }

  return (
    <FormStack {...form} aria-label={`Autobet rule for ${tipster.name}`}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <FieldCheck name="enabled" label="Record new tips as my bets" defaultChecked={rule?.enabled ?? true} />
      <div className={styles.amounts}>
        <Field
          name="unit"
          label="My stake for 1 unit"
          hint="A tip of 2 units is staked at twice this."
          inputMode="decimal"
          defaultValue={shown(rule?.unitMinor ?? 10 ** (chosen?.minorDigits ?? 2))}
          required
          data-missing="Enter what one unit is to you."
          autoComplete="off"
          error={problem.fields.unit}
        />
        <Field
          name="most"
          label="Max stake"
          hint="No bet is recorded with more. Each-way, both parts together."
          inputMode="decimal"
          defaultValue={shown(rule?.mostMinor ?? 10 * 10 ** (chosen?.minorDigits ?? 2))}
          required
          data-missing="Enter the most that you would stake."
          autoComplete="off"
          error={problem.fields.most}
        />
        <Select
          name="currency"
          label="Currency"
          defaultValue={chosen?.id}
          choices={currencies.map((currency) => ({
            value: currency.id,
            title: currency.id === CurrencyId.UNITS ? 'Units' : `${currency.name} (${unitOf(currency)})`,
          }))}
        />
        <Field
          name="leastOdds"
          label="Min. odds"
          hint="Leave it empty for any price."
          defaultValue={
            rule && rule.leastOddsThousandths > shortest
              ? writeOdds({ oddsThousandths: rule.leastOddsThousandths, fraction: null }, oddsDisplay)
              : ''
          }
          autoComplete="off"
          error={problem.fields.leastOdds}
        />
      </div>
      <details className={styles.sports} open={(rule?.sports.length ?? 0) > 0}>
        <summary>{rule && rule.sports.length > 0 ? 'Only these sports' : 'Every sport'}</summary>
        <div className={styles.boxes}>
          {sports.map(({ reference, name }) => (
            <FieldCheck
              key={reference}
              name="sports"
              value={reference}
              label={name}
              defaultChecked={rule?.sports.includes(reference)}
            />
          ))}
        </div>
      </details>
      <div className={styles.ways}>
        <Button type="submit" disabled={isSending || !isAlive}>
          {rule ? 'Save rule' : 'Start autobet'}
        </Button>
        {rule && (
          <Button look="quiet" disabled={isLeaving || !isAlive} onClick={() => void remove()}>
            Remove rule
          </Button>
        )}
      </div>
    </FormStack>
  );
}

/** A refusal of the server with the names that the fields have here. */
function withOwnNames(error: unknown): unknown {
  if (!(error instanceof Error) || !('fields' in error)) return error;
  const fields = Object.fromEntries(
    Object.entries(error.fields as Record<string, string>).map(([name, message]) => [names[name] ?? name, message]),
  );
  return refused(fields);
}
