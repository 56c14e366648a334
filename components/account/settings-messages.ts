import type { Settings } from '@/lib/accounts/schema';

/** Spec §8: what is said when a setting was changed, and when it could not be. `value` is the new value as it is shown. */
export type SettingMessages = { title: string; text: (value: string) => string; failure: string };

const failed = (what: string) => `Your ${what} could not be changed. Please try again later.`;

/** Spec §8: the messages of each setting. Ours: the texts that the specification does not show, and the title of the buy currency. */
export const settingMessages: Readonly<Record<keyof Settings, SettingMessages>> = {
  maxStake: {
    title: 'Max stake updated',
    text: (amount) => `Your default max stake has been set to ${amount}`,
    failure: failed('default max stake'),
  },
  timezoneId: {
    title: 'Timezone updated',
    text: (name) => `Your timezone has been set to ${name}`,
    failure: failed('timezone'),
  },
  betCurrencyId: {
    title: 'Bet currency updated',
    text: (name) => `Your bet currency has been set to ${name}`,
    failure: failed('bet currency'),
  },
  buyCurrencyId: {
    title: 'Currency updated',
    text: (name) => `Your currency has been set to ${name}`,
    failure: failed('currency'),
  },
  countryId: {
    title: 'Country updated',
    text: (name) => `Your country has been set to ${name}`,
    failure: failed('country'),
  },
  oddsDisplayType: {
    title: 'Odds format updated',
    text: (name) => `Your odds display format has been set to ${name}`,
    failure: failed('odds display format'),
  },
};

/** Spec §8: failures show this title. */
export const failureTitle = 'Error';

/** What is said of a change that waits on this device for a connection. */
export const queuedMessage = { title: 'Saved on this device', text: 'It is sent when you are online again.' };
