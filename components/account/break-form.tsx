'use client';

import { useEffect, useRef, useState } from 'react';
import { formatDate } from '@/lib/format';
import { pauseTitles, type PauseLength, type PauseView } from '@/lib/pauses/schema';
import { HelpLine } from '../ui/help-line';
import { Select } from '../ui/select';
import { SiteLink } from '../ui/site-link';
import { TwoStepForm } from '../ui/two-step-form';
import { useForm } from '../ui/use-form';
import styles from './break-form.module.scss';
import { routes } from '@/lib/routes';

/** Product §9: a break from betting, in two steps: what it means, then for how long; one that runs can be made longer. */
export function BreakForm({ pause: first, timeZone }: { pause: PauseView; timeZone: string }) {
  const [pause, setPause] = useState(first);
  const [begun, setBegun] = useState(0);
  const day = (iso: string) => formatDate(iso, { timeZone, style: 'day-time' });
  const { form, problem, isSending } = useForm(async (text) => {
    const { api } = await import('../state/api');
    setPause(await api('POST /user/pause', { body: { length: text('length') as PauseLength } }));
    setBegun((times) => times + 1);
  });
  const { since, until, lengths, help } = pause;
  const told = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (begun > 0) told.current?.focus();
  }, [begun]);

  return (
    <div className={styles.break}>
      {until !== null && (
        <p ref={told} tabIndex={-1}>
          <strong>You are taking a break until {day(until)}.</strong>
          {since !== null && <> It began on {day(since)}.</>} Nobody can end it sooner: not you, and not our staff.
        </p>
      )}
      <div className={styles.words}>
        <p>During the break:</p>
        <ul>
          <li>you cannot buy anything here: no membership, no trial, no Pro. Unfinished orders are cancelled;</li>
          <li>no bet is recorded, from the bet slip or by autobets;</li>
          <li>you get no notifications about tips, posts and matches, here or by e-mail, push or Telegram;</li>
          <li>no membership renews: one that expires during the break ends; the others continue.</li>
        </ul>
        <p>
          You can still read what you have paid for, cancel and get refunds; you are still told about your money and
          your account. If you publish tips, you still can. A break here has no effect at bookmakers:{' '}
          <SiteLink href={routes.content('pages', 'safer-gambling')}>what else helps</SiteLink>.
        </p>
        {help && (
          <p>
            Someone to talk to: <HelpLine help={help} isOwn />
          </p>
        )}
      </div>
      {lengths.length === 0 ? (
        <p>You cannot make it longer now. You can once less than six months are left.</p>
      ) : (
        <TwoStepForm
          // What was done once is asked for anew from its first step.
          key={begun}
          meaning={
            until === null
              ? 'You choose how long. It begins at once.'
              : 'You can make it longer, counted from now, but never shorter.'
          }
          words={{
            begin: until === null ? 'Take a break' : 'Make it longer',
            confirm: until === null ? 'Begin the break now' : 'Make it longer now',
            sending: 'Beginning…',
            leave: until === null ? 'Not now' : 'Leave it as it is',
          }}
          question="How long do you want to take a break for?"
          form={form}
          message={problem.message}
          isSending={isSending}
        >
          <Select
            name="length"
            label="From now on, for"
            choices={lengths.map(({ length, until: end }) => ({
              value: length,
              title: `${pauseTitles[length]}, until ${day(end)}`,
            }))}
            error={problem.fields.length}
          />
        </TwoStepForm>
      )}
    </div>
  );
}
