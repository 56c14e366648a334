'use client';

import type { Settings } from '@/lib/accounts/schema';
import { currencies, CurrencyId } from '@/lib/reference/schema';
import { Select, type SelectChoice } from '../ui/select';
import { MaxStakeForm } from './max-stake-form';
import styles from './settings-form.module.scss';
import { unitOf } from '../ui/unit-of';
import { useSettings } from './use-settings';

type SettingsFormProps = {
  settings: Settings;
  countries: readonly SelectChoice[];
  zones: readonly (SelectChoice & { name: string })[];
};

const titleOf = (choices: readonly SelectChoice[], value: string) =>
  choices.find((choice) => String(choice.value) === value)?.title ?? value;
const currencyChoices: readonly SelectChoice[] = currencies.map(({ id, name, code }) => ({
  value: id,
  title: id === CurrencyId.UNITS ? name : `${name} (${code})`,
}));
const buyChoices = currencyChoices.filter(({ value }) => value !== CurrencyId.UNITS);
const oddsChoices: readonly { value: Settings['oddsDisplayType']; title: string; message: string }[] = [
  { value: 'decimal', title: 'Decimal, such as 2.50', message: 'decimal' },
  { value: 'fraction', title: 'Fractional, such as 6/4', message: 'fractional' },
  { value: 'US', title: 'US, such as +150', message: 'US' },
];

/** Spec §3, §8: the settings of a member; each is kept as it is chosen, so that none can be chosen before the browser can keep it. */
export function SettingsForm({ settings: first, countries, zones }: SettingsFormProps) {
  const { settings, saved, canChange, change } = useSettings(first);
  const currencyOf = (value: string) => currencies.find(({ id }) => String(id) === value);
  const betCurrency = currencyOf(String(settings.betCurrencyId));
  const symbol = betCurrency?.symbol ?? '';
  return (
    <fieldset className={styles.settings} disabled={!canChange}>
      <MaxStakeForm
        key={saved.maxStake}
        label="Default max stake"
        hint="Your max stake per tip when you follow a new tipster."
        unit={betCurrency ? unitOf(betCurrency) : ''}
        maxStake={saved.maxStake}
        onSet={(amount) => change('maxStake', amount, `${symbol}${amount}`)}
      />
      <Select
        name="betCurrencyId"
        label="Bet currency"
        hint="The currency of your stakes."
        choices={currencyChoices}
        value={settings.betCurrencyId}
        onChange={({ target: { value } }) => {
          const currency = currencyOf(value);
          if (currency) void change('betCurrencyId', currency.id, currency.name);
        }}
      />
      <Select
        name="buyCurrencyId"
        label="Currency"
        hint="The currency you pay for memberships in."
        choices={buyChoices}
        value={settings.buyCurrencyId}
        onChange={({ target: { value } }) => {
          const currency = currencyOf(value);
          if (currency) void change('buyCurrencyId', currency.id, currency.name);
        }}
      />
      <Select
        name="countryId"
        label="Country"
        hint="You only see bookmakers available there."
        autoComplete="country"
        choices={countries}
        value={settings.countryId}
        onChange={({ target: { value } }) => void change('countryId', Number(value), titleOf(countries, value))}
      />
      <Select
        name="timezoneId"
        label="Time zone"
        choices={zones}
        value={settings.timezoneId}
        onChange={({ target: { value } }) => {
          const zone = zones.find((choice) => String(choice.value) === value);
          if (zone) void change('timezoneId', Number(value), zone.name);
        }}
      />
      <Select
        name="oddsDisplayType"
        label="Odds format"
        choices={oddsChoices}
        value={settings.oddsDisplayType}
        onChange={({ target: { value } }) => {
          const chosen = oddsChoices.find((choice) => choice.value === value);
          if (chosen) void change('oddsDisplayType', chosen.value, chosen.message);
        }}
      />
    </fieldset>
  );
}
