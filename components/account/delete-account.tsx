'use client';

import { useEffect, useRef, useState } from 'react';
import { routes } from '@/lib/routes';
import { Button } from '../ui/button';
import { FieldCheck } from '../ui/field-check';
import { FormMessage } from '../ui/form-message';
import styles from './delete-account.module.scss';
import { useForm } from './use-form';

/** Product §3: deletes the account in two steps: what it means, then the word for it. */
export function DeleteAccount() {
  const [isAsking, setAsking] = useState(false);
  const question = useRef<HTMLParagraphElement>(null);
  const { form, problem, isSending } = useForm(async () => {
    const [{ api }, { signOut }, { leaveFor }] = await Promise.all([import('../state/api'), import('../state/session'), import('../state/auth-navigation')]);
    await api('/account/delete', { method: 'DELETE' });
    await signOut();
    leaveFor(routes.home());
  });

  useEffect(() => {
    if (isAsking) question.current?.focus();
  }, [isAsking]);

  return (
    <div className={styles.delete}>
      <p>Your name, address, settings, follows and posts go at once and for good. Tips that you published stay on the record, under “former tipster”: nobody can take them off it.</p>
      {isAsking ? (
        <form className={styles.question} {...form}>
          <p ref={question} tabIndex={-1}>
            <strong>This cannot be undone.</strong> You may want to take your data first.
          </p>
          <FieldCheck name="sure" label="Delete my account and everything that is mine alone." required data-missing="Tick this to delete your account." error={problem.fields.sure} />
          {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
          <div className={styles.buttons}>
            <Button type="submit" disabled={isSending}>
              {isSending ? 'Deleting…' : 'Delete for good'}
            </Button>
            <Button look="secondary" onClick={() => setAsking(false)}>
              Keep my account
            </Button>
          </div>
        </form>
      ) : (
        <Button look="secondary" onClick={() => setAsking(true)}>
          Delete my account
        </Button>
      )}
    </div>
  );
}
