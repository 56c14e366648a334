'use client';

import { useState } from 'react';
import { type OwnPlans, type PlanPeriod, planLimits, planPeriods } from '@/lib/memberships/schema';
import { type MoneyCurrencyId, moneyCurrencies } from '@/lib/money/schema';
import { FormStack } from '../ui/form-stack';
import { type FieldText, type FieldTexts, useForm } from '../ui/use-form';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { Select } from '../ui/select';
import styles from './plan-form.module.scss';
import { periodTitle } from './words';

const digitsOf = (currencyId: number) => moneyCurrencies.find(({ id }) => id === currencyId)?.minorDigits ?? 2;

const amountIn = (minor: number | undefined, currencyId: number) =>
  minor === undefined ? '' : (minor / 10 ** digitsOf(currencyId)).toFixed(digitsOf(currencyId));

const fieldOf = (period: PlanPeriod) => `price-${period}`;
const promiseOf = (period: PlanPeriod) => `promise-${period}`;

function plansOf(plans: OwnPlans, text: FieldText, texts: FieldTexts) {
  const mainCurrencyId = Number(text('mainCurrencyId')) as MoneyCurrencyId;
  const limit = text('memberLimit').trim();
  return {
    mainCurrencyId,
    trialDays: Number(text('trialDays') || 0),
    memberLimit: limit === '' ? null : Number(limit),
    plans: planPeriods.flatMap((period) => {
      const given = text(fieldOf(period)).trim();
      const known = plans.plans.find((plan) => plan.period === period);
      const others = known?.prices.filter(({ currencyId }) => currencyId !== mainCurrencyId) ?? [];
      const own =
        given === ''
          ? []
          : [{ currencyId: mainCurrencyId, amountMinor: Math.round(Number(given) * 10 ** digitsOf(mainCurrencyId)) }];
      return own.length === 0 && others.length === 0
        ? []
        : [
            {
              period,
              onSale: texts('onSale').includes(period) && own.length > 0,
              prices: [...own, ...others],
              tipsPromised: Number(text(promiseOf(period)) || 0) || null,
              profitOrFree: texts('profitOrFree').includes(period),
            },
          ];
    }),
  };
}

/** What a portfolio sells: a price for each period in its main currency, on sale or not, a trial, a limit of members. */
export function PlanForm({ portfolio, plans: first }: { portfolio: string; plans: OwnPlans }) {
  const [attempt] = useState(() => new Attempt());
  const [plans, setPlans] = useState(first);
  const [isSaved, setSaved] = useState(false);
  const [currencyId, setCurrency] = useState<number>(first.mainCurrencyId);
  const { form, problem, isSending } = useForm(async (text, texts) => {
    setSaved(false);
    const { api } = await import('../state/api');
    const body = plansOf(plans, text, texts);
    setPlans(
      await api('PUT /user/portfolio/{reference}/plans', {
        params: { reference: portfolio },
        body,
        idempotencyKey: attempt.keyFor([body, plans]),
      }),
    );
    setSaved(true);
  });
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <Select
        name="mainCurrencyId"
        label="Currency"
        choices={moneyCurrencies.map(({ id, name, code }) => ({ value: id, title: `${name} (${code})` }))}
        defaultValue={first.mainCurrencyId}
        onChange={(event) => setCurrency(Number(event.currentTarget.value))}
        error={problem.fields.mainCurrencyId}
      />
      <div className={styles.plans}>
        {planPeriods.map((period) => {
          const plan = plans.plans.find((each) => each.period === period);
          return (
            <div key={period} className={styles.plan}>
              <Field
                name={fieldOf(period)}
                label={`${periodTitle[period]} price`}
                type="number"
                inputMode="decimal"
                min={planLimits.leastMinor / 10 ** digitsOf(currencyId)}
                step={1 / 10 ** digitsOf(currencyId)}
                defaultValue={amountIn(
                  plan?.prices.find((price) => price.currencyId === first.mainCurrencyId)?.amountMinor,
                  first.mainCurrencyId,
                )}
                error={problem.fields[fieldOf(period)]}
              />
              <FieldCheck
                name="onSale"
                value={period}
                label={`${periodTitle[period]} on sale`}
                defaultChecked={plan?.onSale ?? false}
              />
              <Field
                name={promiseOf(period)}
                label={`${periodTitle[period]}: settled tips promised`}
                hint="Leave it empty for no guarantee."
                type="number"
                min={1}
                max={500}
                defaultValue={plan?.tipsPromised ?? ''}
                data-mismatch="Enter a whole number from 1 to 500."
                error={problem.fields[promiseOf(period)]}
              />
              <FieldCheck
                name="profitOrFree"
                value={period}
                label={`${periodTitle[period]}: profit, or the next one is free`}
                defaultChecked={plan?.profitOrFree ?? false}
              />
            </div>
          );
        })}
      </div>
      <Field
        name="trialDays"
        label="Free trial, in days"
        hint="Once for each member; 0 for none."
        type="number"
        min={0}
        max={planLimits.mostTrialDays}
        defaultValue={plans.trialDays}
        error={problem.fields.trialDays}
      />
      <Field
        name="memberLimit"
        label="Member limit"
        hint="Leave it empty for no limit."
        type="number"
        min={1}
        max={planLimits.mostMembers}
        defaultValue={plans.memberLimit ?? ''}
        error={problem.fields.memberLimit}
      />
      <p>
        A promise is judged from the record when the tips of a period are settled; where it was missed, the next period
        is paid back to the member by itself. It holds for the periods that are sold with it. A higher price holds for
        members from 30 days on; a lower one from their next period. You receive 70 % of each price.
      </p>
      {isSaved && <FormMessage kind="success">Your plans were saved.</FormMessage>}
      <div>
        <Button type="submit" disabled={isSending || !form.noValidate}>
          {isSending ? 'Saving…' : 'Save plans'}
        </Button>
      </div>
    </FormStack>
  );
}
