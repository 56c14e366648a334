import { useState } from 'react';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { ProPending } from './pro-pending';
import styles from './pro.module.scss';
import { usePro } from './use-pro';

/** Spec §2.5, product §8: chooses portfolios for the free places of the team. */
export function ProConfirmTeam({ onClose }: { onClose: () => void }) {
  const { data: pro, take, ...pending } = usePro();
  const [attempt] = useState(() => new Attempt());
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { form, problem, isSending } = useForm(async () => {
    const { api } = await import('../state/api');
    const body = { portfolios: chosen };
    await take(await api('PUT /user/pro/team', { body, idempotencyKey: attempt.keyFor(body) }));
    onClose();
  });
  if (!pro?.running) return <ProPending {...pending} />;
  const free = pro.places - pro.team.length;
  return (
    <FormStack {...form}>
      <p>
        {free === 0
          ? 'Your team is full: change it instead.'
          : `You can choose ${free} now. A portfolio stays in your team until you change it, once a week.`}
      </p>
      {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
      <fieldset className={styles.choices}>
        <legend>Portfolios that take part</legend>
        {pro.candidates.map(({ reference, name, owner, demo }) => (
          <FieldCheck
            key={reference}
            name="portfolios"
            value={reference}
            label={`${name}, by ${owner}${demo ? ' (demo data)' : ''}`}
            checked={chosen.includes(reference)}
            disabled={!chosen.includes(reference) && chosen.length >= free}
            onChange={({ currentTarget: { checked } }) =>
              setChosen((all) => (checked ? [...all, reference] : all.filter((each) => each !== reference)))
            }
          />
        ))}
      </fieldset>
      <div className={styles.ways}>
        <Button type="submit" disabled={isSending || chosen.length === 0}>
          {isSending ? 'One moment…' : 'Confirm the team'}
        </Button>
        <Button look="secondary" onClick={onClose}>
          Not now
        </Button>
      </div>
    </FormStack>
  );
}
