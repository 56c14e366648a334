'use client';

import { useRef, useState } from 'react';
import type { ChannelName, Choice, Hours, NewsSettings } from '@/lib/notifications/schema';
import { api } from '../state/api';
import { Button } from '../ui/button';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { Select } from '../ui/select';
import { useAlive } from '../ui/use-alive';
import { VisuallyHidden } from '../ui/visually-hidden';
import { NotificationChoices } from './notification-choices';
import styles from './notification-settings.module.scss';
import { channelTitles } from './notification-words';

type Said = { kind: 'success' | 'error'; text: string } | null;

const hour = (of: number) => `${String(of).padStart(2, '0')}:00`;
const hourChoices = Array.from({ length: 24 }, (_, of) => ({ value: of * 60, title: hour(of) }));
const digestChoices = [
  { value: '', title: 'At once' },
  ...Array.from({ length: 24 }, (_, of) => ({ value: String(of), title: `Once a day, at ${hour(of)}` })),
];

const usualQuiet = { quietFrom: 23 * 60, quietUntil: 7 * 60 };

const messageOf = (error: unknown) =>
  error instanceof Error && error.message ? error.message : 'Your change could not be saved. Try again in a minute.';

type Changed = Pick<Choice, 'topic' | 'channel'> & { wanted: boolean };
type PortfolioChanged = Omit<Changed, 'topic'> & { topic: 'tip' | 'post' | 'settlement' };

const withChoices = (choices: readonly Choice[], changed: readonly Changed[] = []) =>
  choices.map((choice) => ({
    ...choice,
    ...changed.find(({ topic, channel }) => topic === choice.topic && channel === choice.channel),
  }));

/** Product §12: everything that a member chose to hear, by which way and when; each is shown and kept as it is chosen, one after the other. */
export function NotificationSettings({ settings: first }: { settings: NewsSettings }) {
  const [settings, setSettings] = useState(first);
  const [said, setSaid] = useState<Said>(null);
  const kept = useRef(first);
  const waiting = useRef(0);
  const last = useRef(Promise.resolve());
  // Nothing can be chosen before the browser can keep it.
  const isAlive = useAlive();

  const afterTheLast = (work: () => Promise<string>) => {
    waiting.current += 1;
    last.current = last.current.then(async () => {
      try {
        setSaid({ kind: 'success', text: await work() });
      } catch (error) {
        setSaid({ kind: 'error', text: messageOf(error) });
      }
      waiting.current -= 1;
      if (waiting.current === 0) setSettings(kept.current);
    });
  };
  const keep = (ask: () => Promise<NewsSettings>) =>
    afterTheLast(async () => {
      kept.current = await ask();
      return 'Saved.';
    });
  const change = ({
    choices,
    ...body
  }: {
    silenced?: boolean;
    siteNews?: boolean;
    choices?: Changed[];
    hours?: Hours;
  }) => {
    setSettings((shown) => ({ ...shown, ...body, choices: withChoices(shown.choices, choices) }));
    keep(() => api('PUT /user/notifications/settings', { body: { ...body, ...(choices && { choices }) } }));
  };
  const changeOf = (reference: string, { choices, ...body }: { silenced?: boolean; choices?: PortfolioChanged[] }) => {
    const changed = (portfolio: NewsSettings['portfolios'][number]) =>
      portfolio.reference === reference
        ? { ...portfolio, ...body, choices: withChoices(portfolio.choices, choices) }
        : portfolio;
    setSettings((shown) => ({ ...shown, portfolios: shown.portfolios.map(changed) }));
    keep(() =>
      api('PUT /user/notifications/settings/{reference}', {
        params: { reference },
        body: { ...body, ...(choices && { choices }) },
      }),
    );
  };
  const sample = (channel: ChannelName) =>
    afterTheLast(async () => {
      await api('POST /user/notifications/sample', { body: { channel } });
      return `A test is on its way: ${channelTitles[channel]}.`;
    });

  const { hours, ways } = settings;
  const isQuiet = hours.quietFrom !== null;
  return (
    <fieldset className={styles.settings} disabled={!isAlive}>
      <legend>
        <VisuallyHidden>What you are notified about, and how</VisuallyHidden>
      </legend>
      <div aria-live="polite">{said && <FormMessage kind={said.kind}>{said.text}</FormMessage>}</div>
      {settings.mail.stopped && (
        <FormMessage kind="error">
          {settings.mail.stoppedByStaff ? (
            <>
              Our staff stopped notifications by e-mail to {settings.mail.address}. E-mails that you ask for are still
              sent. Write to us if you want notifications there again, or change your address.
            </>
          ) : (
            <>
              E-mails to {settings.mail.address} bounced, so no more are sent. Ask for a new code on the login page to
              try the address again, or change it.
            </>
          )}
        </FormMessage>
      )}
      <FieldCheck
        name="silenced"
        label="Mute everything except notifications about money"
        checked={settings.silenced}
        onChange={({ target: { checked } }) => change({ silenced: checked })}
      />
      <NotificationChoices
        caption="For every tipster"
        name="all"
        choices={settings.choices}
        ways={ways}
        onChange={(choice) => change({ choices: [choice] })}
      />
      <FieldCheck
        name="siteNews"
        label="Tipledger may e-mail me its own news"
        checked={settings.siteNews}
        onChange={({ target: { checked } }) => change({ siteNews: checked })}
      />
      <div className={styles.row}>
        <Select
          name="digestHour"
          label="Send e-mails"
          hint={`${settings.timeZone.split('/').at(-1)?.replaceAll('_', ' ')} time. Notifications about money are sent at once.`}
          choices={digestChoices}
          value={hours.digestHour === null ? '' : String(hours.digestHour)}
          onChange={({ target: { value } }) =>
            change({ hours: { ...hours, digestHour: value === '' ? null : Number(value) } })
          }
        />
        <FieldCheck
          name="quiet"
          label="Quiet hours: delay e-mail, push and Telegram; the list still updates"
          checked={isQuiet}
          onChange={({ target: { checked } }) =>
            change({ hours: { ...hours, ...(checked ? usualQuiet : { quietFrom: null, quietUntil: null }) } })
          }
        />
        {isQuiet && (
          <>
            <Select
              name="quietFrom"
              label="Quiet from"
              choices={hourChoices.filter(({ value }) => value !== hours.quietUntil)}
              value={hours.quietFrom ?? 0}
              onChange={({ target: { value } }) => change({ hours: { ...hours, quietFrom: Number(value) } })}
            />
            <Select
              name="quietUntil"
              label="Quiet until"
              choices={hourChoices.filter(({ value }) => value !== hours.quietFrom)}
              value={hours.quietUntil ?? 0}
              onChange={({ target: { value } }) => change({ hours: { ...hours, quietUntil: Number(value) } })}
            />
          </>
        )}
      </div>
      <div className={styles.row}>
        {ways.map((channel) => (
          <Button key={channel} look="secondary" onClick={() => sample(channel)}>
            Send a test: {channelTitles[channel]}
          </Button>
        ))}
      </div>
      {settings.portfolios.map(({ reference, name, silenced, choices }) => (
        <details key={reference} className={styles.portfolio}>
          <summary>{silenced ? `${name}: muted` : name}</summary>
          <FieldCheck
            name={`silenced-${reference}`}
            label={`Mute ${name}`}
            checked={silenced}
            onChange={({ target: { checked } }) => changeOf(reference, { silenced: checked })}
          />
          <NotificationChoices
            caption={`From ${name}`}
            name={reference}
            choices={choices}
            ways={ways}
            onChange={({ topic, ...choice }) => {
              if (topic === 'tip' || topic === 'post' || topic === 'settlement')
                changeOf(reference, { choices: [{ topic, ...choice }] });
            }}
          />
        </details>
      ))}
    </fieldset>
  );
}
