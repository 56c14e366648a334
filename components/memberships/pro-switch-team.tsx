import { useState } from 'react';
import { formatDate } from '@/lib/format';
import { Attempt } from '../state/attempt';
import type { ModalProps } from '../state/modals';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { Select } from '../ui/select';
import { useForm } from '../ui/use-form';
import { ProPending } from './pro-pending';
import styles from './pro.module.scss';
import { usePro } from './use-pro';

type ProSwitchTeamProps = ModalProps['pro switch team'] & { onClose: () => void };

/** Spec §2.5, product §8: puts one portfolio in the place of another in the team, once a week. */
export function ProSwitchTeam({ portfolio, onClose }: ProSwitchTeamProps) {
  const { data: pro, take, ...pending } = usePro();
  const [attempt] = useState(() => new Attempt());
  const { form, problem, isSending, isAlive } = useForm(async (text) => {
    const { api } = await import('../state/api');
    const body = { out: text('out'), in: text('in') };
    await take(await api('POST /user/pro/switch', { body, idempotencyKey: attempt.keyFor(body) }));
    onClose();
  });
  if (!pro?.running) return <ProPending {...pending} />;
  const titled = (all: readonly { reference: string; name: string }[]) =>
    all.map(({ reference, name }) => ({ value: reference, title: name }));
  if (pro.switchFrom !== null)
    return (
      <p>
        You can change your team once a week. The next change is possible on{' '}
        {formatDate(pro.switchFrom, { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, style: 'day-time' })}.
      </p>
    );
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <Select name="out" label="Leaves your team" choices={titled(pro.team)} />
      <Select name="in" label="Replaced by" choices={titled(pro.candidates)} defaultValue={portfolio} />
      <p>
        You get access to the new one at once, and lose access to the old one. You can change the team again in a week.
      </p>
      <div className={styles.ways}>
        <Button type="submit" disabled={isSending || !isAlive}>
          {isSending ? 'One moment…' : 'Change the team'}
        </Button>
        <Button look="secondary" onClick={onClose}>
          Not now
        </Button>
      </div>
    </FormStack>
  );
}
