'use client';

import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import styles from './max-stake-form.module.scss';
import { useForm } from '../ui/use-form';
import { formatNumber } from '@/lib/format';

type MaxStakeFormProps = {
  label: ReactNode;
  hint?: ReactNode;
  unit: string;
  maxStake: number;
  onSet: (amount: number) => Promise<void>;
};

/** Ours: the largest max stake, as the API has it. */
const largest = 1_000_000;

/** An amount in the bet currency with a button that sets it. */
export function MaxStakeForm({ label, hint, unit, maxStake, onSet }: MaxStakeFormProps) {
  const { form, problem, isSending, isAlive } = useForm((text) => onSet(Number(text('maxStake'))));
  return (
    <form className={styles.form} {...form}>
      <Field
        name="maxStake"
        type="number"
        label={
          <>
            {label} <span className={styles.unit}>in {unit}</span>
          </>
        }
        hint={hint}
        inputMode="decimal"
        min={0.01}
        max={largest}
        step={0.01}
        required
        data-missing="Enter an amount."
        data-mismatch={`Enter an amount from 0.01 to ${formatNumber(largest)} with two decimal places at most.`}
        defaultValue={maxStake}
        error={problem.fields.maxStake ?? problem.message ?? undefined}
      />
      <Button type="submit" look="secondary" disabled={isSending || !isAlive}>
        Set
      </Button>
    </form>
  );
}
