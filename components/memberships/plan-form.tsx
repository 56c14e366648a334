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
import styles from './plan-form.module.scss';
import { currencyField, currencyOf, PlanPrices, priceField } from './plan-prices';
import { periodTitle } from './words';

const promiseOf = (period: PlanPeriod) => `promise-${period}`;

/** What the form shows, all of it and nothing else. Throws an error with `fields` where a plan on sale has no price in the main currency. */
function plansOf(text: FieldText, texts: FieldTexts) {
  const currencyIds = moneyCurrencies.map((_, place) => Number(text(currencyField(place)))).filter(Boolean);
  const mainCurrencyId = currencyIds[0] as MoneyCurrencyId;
  const limit = text('memberLimit').trim();
  const onSale = planPeriods.filter((period) => texts('onSale').includes(period));
  const missing = onSale.map((period) => priceField(period, mainCurrencyId)).filter((name) => text(name).trim() === '');
  if (missing.length > 0) {
    const why = `Write a price in ${currencyOf(mainCurrencyId).code}, or take this plan off sale.`;
    throw Object.assign(new Error(why), { fields: Object.fromEntries(missing.map((name) => [name, why])) });
  }
  return {
    mainCurrencyId,
    trialDays: Number(text('trialDays') || 0),
    memberLimit: limit === '' ? null : Number(limit),
    plans: planPeriods.flatMap((period) => {
      const prices = currencyIds.flatMap((currencyId) => {
        const given = text(priceField(period, currencyId)).trim();
        const { minorDigits } = currencyOf(currencyId);
        return given === ''
          ? []
          : [
              {
                currencyId: currencyId as MoneyCurrencyId,
                amountMinor: Math.round(Number(given) * 10 ** minorDigits),
              },
            ];
      });
      return prices.length === 0
        ? []
        : [
            {
              period,
              onSale: onSale.includes(period),
              prices,
              tipsPromised: Number(text(promiseOf(period)) || 0) || null,
              profitOrFree: texts('profitOrFree').includes(period),
            },
          ];
    }),
  };
}

/** What a portfolio sells: a price for each period in its main currency and in others, on sale or not, a trial, a limit of members. */
export function PlanForm({ portfolio, plans: first }: { portfolio: string; plans: OwnPlans }) {
  const [attempt] = useState(() => new Attempt());
  const [plans, setPlans] = useState(first);
  const [isSaved, setSaved] = useState(false);
  const { form, problem, isSending, isAlive } = useForm(async (text, texts) => {
    setSaved(false);
    const { api } = await import('../state/api');
    const body = plansOf(text, texts);
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
      <PlanPrices plans={first} fields={problem.fields} />
      <div className={styles.plans}>
        {planPeriods.map((period) => {
          const plan = plans.plans.find((each) => each.period === period);
          return (
            <div key={period} className={styles.plan}>
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
      <ul className={styles.terms}>
        <li>
          A guarantee is checked against the record when the tips of the period are settled, at the latest 14 days after
          it ends. If it was missed, the member’s payment for the next period is refunded automatically; if there is no
          next period, the payment for the period that missed it is.
        </li>
        <li>A guarantee applies to the periods sold with it, also to those that were free because of it.</li>
        <li>Members pay a higher price after 30 days at the earliest, a lower one from their next period.</li>
        <li>If you remove a currency, nobody new can buy in it; members who pay in it keep their price.</li>
        <li>You receive 70% of what a member pays, after tax.</li>
      </ul>
      {isSaved && <FormMessage kind="success">Your plans were saved.</FormMessage>}
      <div>
        <Button type="submit" disabled={isSending || !isAlive}>
          {isSending ? 'Saving…' : 'Save plans'}
        </Button>
      </div>
    </FormStack>
  );
}
