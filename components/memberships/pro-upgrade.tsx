import { useState } from 'react';
import { Attempt } from '../state/attempt';
import { closeModal, type ModalProps, openModal } from '../state/modals';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { ProPending } from './pro-pending';
import styles from './pro.module.scss';
import { usePro } from './use-pro';

type ProUpgradeProps = ModalProps['pro upgrade'] & { onClose: () => void };

/** Spec §2.5, product §8: takes a portfolio into the team of Pro from wherever it is met: into a free place, or in the place of another. */
export function ProUpgrade({ portfolio, name, onClose }: ProUpgradeProps) {
  const { data: pro, take, ...pending } = usePro();
  const [attempt] = useState(() => new Attempt());
  const { form, problem, isSending } = useForm(async () => {
    const { api } = await import('../state/api');
    const body = { portfolios: [portfolio] };
    await take(await api('PUT /user/pro/team', { body, idempotencyKey: attempt.keyFor(body) }));
    onClose();
  });
  if (!pro?.running) return <ProPending {...pending} />;
  if (pro.team.some(({ reference }) => reference === portfolio)) return <p>{name} is in your team.</p>;
  const free = pro.places - pro.team.length;
  return (
    <FormStack {...form}>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <p>
        {free > 0
          ? `Your team has ${free} free ${free === 1 ? 'place' : 'places'}. You get access to ${name} at once, at no extra cost.`
          : `Your team is full. ${name} can replace another portfolio, once a week.`}
      </p>
      <div className={styles.ways}>
        {free > 0 ? (
          <Button type="submit" disabled={isSending}>
            {isSending ? 'One moment…' : `Add ${name} to my team`}
          </Button>
        ) : (
          <Button
            onClick={() => {
              closeModal('pro upgrade');
              openModal('pro switch team', { portfolio });
            }}
          >
            Change my team
          </Button>
        )}
        <Button look="secondary" onClick={onClose}>
          Not now
        </Button>
      </div>
    </FormStack>
  );
}
