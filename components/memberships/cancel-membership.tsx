'use client';

import { useState } from 'react';
import { formatDate } from '@/lib/format';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { Attempt } from '../state/attempt';
import type { ModalProps } from '../state/modals';
import styles from './sandbox-form.module.scss';

type CancelMembershipProps = ModalProps['cancel user membership'] & { onClose: () => void };

/** Spec §2.5, product §8: the second of the two clicks that cancel a membership. */
export function CancelMembership({
  membership,
  name,
  state,
  endsAt,
  timeZone,
  onDone,
  onClose,
}: CancelMembershipProps) {
  const [attempt] = useState(() => new Attempt());
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function cancel(): Promise<void> {
    setSending(true);
    setProblem(null);
    try {
      const { api } = await import('../state/api');
      const params = { membership };
      onDone(
        await api('POST /user/memberships/{membership}/cancel', { params, idempotencyKey: attempt.keyFor(params) }),
      );
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Try again.');
      setSending(false);
    }
  }

  return (
    <div className={styles.form}>
      <p>
        {name}:{' '}
        {state === 'past due'
          ? 'the renewal was not paid, so access ends now, and your card is not tried again.'
          : `you keep access until ${formatDate(endsAt, { timeZone, style: 'day-time' })}, and nothing more is charged.`}
      </p>
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
      <div className={styles.ways}>
        <Button disabled={isSending} onClick={() => void cancel()}>
          Cancel membership
        </Button>
        <Button look="secondary" onClick={onClose}>
          Keep it
        </Button>
      </div>
    </div>
  );
}
