'use client';

import { useEffect, useRef, useState } from 'react';
import { type OwnPlans, planLimits, type PlanPeriod, planPeriods } from '@/lib/memberships/schema';
import { amountText, type MoneyCurrencyId, moneyCurrencies } from '@/lib/money/schema';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Select } from '../ui/select';
import styles from './plan-form.module.scss';
import { periodTitle } from './words';

/** The currency of an id, as money is typed in it. */
export const currencyOf = (currencyId: number) => {
  const found = moneyCurrencies.find(({ id }) => id === currencyId);
  if (!found) throw new RangeError(`${currencyId} is the id of no currency that is money.`);
  return found;
};

/** The field of a plan's price in a currency. */
export const priceField = (period: PlanPeriod, currencyId: number) => `price-${period}-${currencyId}`;

/** The field of the currency at a place: the main one at the first. */
export const currencyField = (place: number) => (place === 0 ? 'mainCurrencyId' : `currency-${place}`);

function currenciesOf({ mainCurrencyId, plans }: OwnPlans): MoneyCurrencyId[] {
  const priced = plans.flatMap(({ prices }) => prices.map(({ currencyId }) => currencyId));
  return [...new Set([mainCurrencyId, ...priced])];
}

/** What each plan costs, in the main currency and in as many others as one adds: what stands here is what is sold. */
export function PlanPrices({ plans, fields }: { plans: OwnPlans; fields: Readonly<Record<string, string>> }) {
  const [rows, setRows] = useState(() => currenciesOf(plans));
  const [focus, setFocus] = useState<number | 'add' | null>(null);
  const part = useRef<HTMLDivElement>(null);
  const free = moneyCurrencies.filter(({ id }) => !rows.some((currencyId) => currencyId === id));

  useEffect(() => {
    if (focus === null) return;
    const name = focus === 'add' ? '[data-add]' : `[name="${currencyField(focus)}"]`;
    part.current?.querySelector<HTMLElement>(name)?.focus();
  }, [focus, rows]);

  // A currency takes what was typed with it where it changes places with another; one that is new here begins without a price.
  function choose(place: number, currencyId: MoneyCurrencyId): void {
    setFocus(place);
    setRows(
      rows.map((known, at) => (at === place ? currencyId : known === currencyId ? (rows[place] ?? known) : known)),
    );
  }

  function add(): void {
    setFocus(rows.length);
    setRows([...rows, ...free.slice(0, 1).map(({ id }) => id as MoneyCurrencyId)]);
  }

  function remove(place: number): void {
    setFocus('add');
    setRows(rows.filter((_, at) => at !== place));
  }

  return (
    <div ref={part} className={styles.currencies}>
      {rows.map((currencyId, place) => {
        const { code, minorDigits } = currencyOf(currencyId);
        const most = amountText(planLimits.mostMinor, minorDigits);
        const least = amountText(planLimits.leastMinor, minorDigits);
        return (
          <fieldset key={currencyId} className={styles.currency}>
            <legend>Prices in {code}</legend>
            <div className={styles.which}>
              <Select
                name={currencyField(place)}
                label={place === 0 ? 'Main currency' : `Currency ${place + 1}`}
                hint={
                  place === 0 ? 'Whoever buys in a currency that you name no price in pays in this one.' : undefined
                }
                choices={(place === 0
                  ? moneyCurrencies
                  : moneyCurrencies.filter((each) => each.id === currencyId || free.includes(each))
                ).map((each) => ({ value: each.id, title: `${each.name} (${each.code})` }))}
                value={currencyId}
                onChange={(event) => choose(place, Number(event.currentTarget.value) as MoneyCurrencyId)}
                error={fields[currencyField(place)]}
              />
              {place > 0 && (
                <Button look="quiet" size="small" onClick={() => remove(place)}>
                  Remove {code}
                </Button>
              )}
            </div>
            <div className={styles.prices}>
              {planPeriods.map((period) => {
                const known = plans.plans.find((plan) => plan.period === period)?.prices;
                const amount = known?.find((each) => each.currencyId === currencyId)?.amountMinor;
                return (
                  <Field
                    key={period}
                    name={priceField(period, currencyId)}
                    label={`${periodTitle[period]} price in ${code}`}
                    type="number"
                    inputMode="decimal"
                    min={least}
                    max={most}
                    step={1 / 10 ** minorDigits}
                    defaultValue={amount === undefined ? '' : amountText(amount, minorDigits)}
                    data-mismatch={`Write a price from ${least} to ${most} ${code}.`}
                    error={fields[priceField(period, currencyId)]}
                  />
                );
              })}
            </div>
          </fieldset>
        );
      })}
      {free.length > 0 && (
        <div>
          <Button look="secondary" size="small" data-add="" onClick={add}>
            Add another currency
          </Button>
        </div>
      )}
    </div>
  );
}
