'use client';

import { useState } from 'react';
import { formatDate } from '@/lib/format';
import { discountText } from '@/lib/memberships/rules';
import { type Coupon, couponLimits, planPeriods } from '@/lib/memberships/schema';
import { type MoneyCurrencyId, moneyCurrencies } from '@/lib/money/schema';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { Select } from '../ui/select';
import { Table } from '../ui/table';
import { type FieldText, type FieldTexts, useForm } from '../ui/use-form';
import styles from './coupon-desk.module.scss';
import { periodTitle } from './words';

type CouponDeskProps = {
  portfolio: string;
  currencyId: MoneyCurrencyId;
  coupons: readonly Coupon[];
  timeZone: string;
  /** When the page was made, by which coupons have expired. */
  now: string;
};

const currencyOf = (currencyId: number) => moneyCurrencies.find(({ id }) => id === currencyId);

function couponOf(text: FieldText, texts: FieldTexts, currencyId: number) {
  const number = (name: string) => (text(name).trim() === '' ? null : Number(text(name)));
  const off = number('off') ?? 0;
  const isPercent = text('unit') === 'percent';
  const lastDay = text('lastDay');
  const plans = planPeriods.filter((period) => texts('plans').includes(period));
  if (plans.length === 0) throw new Error('Tick a plan that the coupon is for.');
  return {
    code: text('code').trim().toUpperCase(),
    percent: isPercent ? off : null,
    amountMinor: isPercent ? null : Math.round(off * 10 ** (currencyOf(currencyId)?.minorDigits ?? 2)),
    periods: number('periods'),
    plans: plans.length === planPeriods.length ? [] : plans,
    mostUses: number('mostUses'),
    onceEach: texts('onceEach').length > 0,
    // To the end of that day where the tipster is.
    endsAt: lastDay === '' ? null : new Date(`${lastDay}T23:59:59`).toISOString(),
  };
}

function stateWords({ endedAt, endsAt, mostUses, uses }: Coupon, now: string, timeZone: string): string {
  const day = (iso: string) => formatDate(iso, { timeZone, style: 'day' });
  if (endedAt !== null) return `Ended on ${day(endedAt)}`;
  if (endsAt !== null && endsAt <= now) return `Expired on ${day(endsAt)}`;
  if (mostUses !== null && uses >= mostUses) return 'Used up';
  return endsAt === null ? 'Until you end it' : `Until ${day(endsAt)}`;
}

/** The coupons of a portfolio, which its owner makes and ends: what each takes off, off what, and how often it was used. */
export function CouponDesk({ portfolio, currencyId, coupons: first, timeZone, now }: CouponDeskProps) {
  const [attempt] = useState(() => new Attempt());
  const [coupons, setCoupons] = useState(first);
  const [said, setSaid] = useState<{ kind: 'success' | 'error'; text: string } | null>(null);
  const { form, problem, isSending, isAlive } = useForm(async (text, texts) => {
    setSaid(null);
    const { api } = await import('../state/api');
    const body = couponOf(text, texts, currencyId);
    setCoupons(
      await api('POST /user/portfolio/{reference}/coupons', {
        params: { reference: portfolio },
        body,
        idempotencyKey: attempt.keyFor(body),
      }),
    );
    setSaid({ kind: 'success', text: `The coupon ${body.code} was made. Buyers enter it before they pay.` });
  });

  async function end(code: string): Promise<void> {
    setSaid(null);
    try {
      const { api } = await import('../state/api');
      setCoupons(
        await api('DELETE /user/portfolio/{reference}/coupons/{code}', { params: { reference: portfolio, code } }),
      );
      setSaid({ kind: 'success', text: `The coupon ${code} was ended. Members who have it keep their discount.` });
    } catch (error) {
      setSaid({ kind: 'error', text: error instanceof Error ? error.message : 'The coupon was not ended. Try again.' });
    }
  }

  return (
    <>
      {coupons.length === 0 ? (
        <p>You have no coupons yet.</p>
      ) : (
        <Table caption="Coupons" captionHidden>
          <thead>
            <tr>
              <th scope="col">Coupon</th>
              <th scope="col">Discount</th>
              <th scope="col">Plans</th>
              <th scope="col">Used</th>
              <th scope="col">Can be used</th>
              <th scope="col">End</th>
            </tr>
          </thead>
          <tbody>
            {coupons.map((coupon) => (
              <tr key={coupon.id}>
                <th scope="row">{coupon.code}</th>
                <td>
                  {discountText(coupon)}
                  {coupon.onceEach && ', once each'}
                </td>
                <td>{coupon.plans.length === 0 ? 'All' : coupon.plans.map((plan) => periodTitle[plan]).join(', ')}</td>
                <td>{coupon.mostUses === null ? coupon.uses : `${coupon.uses} of ${coupon.mostUses}`}</td>
                <td>{stateWords(coupon, now, timeZone)}</td>
                <td>
                  {coupon.endedAt === null && (
                    <Button
                      type="button"
                      look="secondary"
                      size="small"
                      disabled={!isAlive}
                      onClick={() => void end(coupon.code)}
                    >
                      End {coupon.code}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {said && <FormMessage kind={said.kind}>{said.text}</FormMessage>}
      <FormStack {...form} onChange={() => said && attempt.end()}>
        {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
        <Field
          name="code"
          label="Code"
          hint="3 to 20 letters and digits. You can use each code for one coupon only."
          required
          minLength={3}
          maxLength={20}
          pattern="[A-Za-z0-9]{3,20}"
          autoComplete="off"
          error={problem.fields.code}
        />
        <div className={styles.pair}>
          <Field
            name="off"
            label="Discount"
            type="number"
            inputMode="decimal"
            min={0.01}
            step={0.01}
            required
            data-missing="Enter the discount."
            data-mismatch="Enter a number from 0.01, with two decimal places at most."
            error={problem.fields.off}
          />
          <Select
            name="unit"
            label="Discount in"
            choices={[
              { value: 'percent', title: 'Percent' },
              { value: 'amount', title: `${currencyOf(currencyId)?.name ?? 'Your currency'}` },
            ]}
            defaultValue="percent"
          />
        </div>
        <Field
          name="periods"
          label="Discount on how many payments"
          hint="Leave it empty for every payment."
          type="number"
          min={1}
          max={couponLimits.mostPeriods}
          defaultValue={1}
          error={problem.fields.periods}
        />
        <fieldset className={styles.plans}>
          <legend>For which plans</legend>
          {planPeriods.map((period) => (
            <FieldCheck key={period} name="plans" value={period} label={`${periodTitle[period]} plan`} defaultChecked />
          ))}
        </fieldset>
        <Field
          name="mostUses"
          label="How many times it can be used"
          hint="Leave it empty for no limit."
          type="number"
          min={1}
          max={couponLimits.mostUses}
          error={problem.fields.mostUses}
        />
        <FieldCheck name="onceEach" value="on" label="Once for each buyer" defaultChecked />
        <Field
          name="lastDay"
          label="Last day"
          hint="Leave it empty for no end."
          type="date"
          error={problem.fields.lastDay}
        />
        <p>
          If a discount leaves less than 1.00 (¥100) to pay, that payment is free. A coupon cannot be changed; end it
          and make another.
        </p>
        <div>
          <Button type="submit" disabled={isSending || !isAlive}>
            {isSending ? 'Making…' : 'Make coupon'}
          </Button>
        </div>
      </FormStack>
    </>
  );
}
