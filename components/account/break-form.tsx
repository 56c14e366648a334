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
        <p>While it lasts:</p>
        <ul>
          <li>
            you can buy nothing here: no membership, no trial, no Pro. An order that is not finished is cancelled;
          </li>
          <li>no bet is recorded, from the bet slip or by autobets;</li>
          <li>nothing about tips, posts and matches reaches you, here or by mail, push or Telegram;</li>
          <li>no membership renews: one whose period ends during the break ends then, others go on.</li>
        </ul>
        <p>
          You read what you have paid for, and can cancel and get your money back as ever; what concerns your money and
          your account is still told. If you publish tips, you still can. A break here does not reach bookmakers:{' '}
          <SiteLink href={routes.content('pages', 'safer-gambling')}>what else helps</SiteLink>.
        </p>
        {help && (
          <p>
            Somebody to talk to: <HelpLine help={help} isOwn />
          </p>
        )}
      </div>
      {lengths.length === 0 ? (
        <p>It cannot be made longer now. When less than six months of it are left, it can.</p>
      ) : (
        <TwoStepForm
          // What was done once is asked for anew from its first step.
          key={begun}
          meaning={
            until === null
              ? 'You choose for how long. It begins at once.'
              : 'It can be made longer, counted from now, and never shorter.'
          }
          words={{
            begin: until === null ? 'Take a break' : 'Make it longer',
            confirm: until === null ? 'Begin the break now' : 'Make it longer now',
            sending: 'Beginning…',
            leave: until === null ? 'Not now' : 'Leave it as it is',
          }}
          question="For how long do you take a break?"
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
