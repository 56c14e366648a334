'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { saveFile } from '../ui/save-file';
import { TextArea } from '../ui/text-area';
import { useForm } from '../ui/use-form';
import styles from './staff-form.module.scss';

/** Product §11: everything held on a member as a file, for a reason that the log keeps. */
export function UserExportForm({ user }: { user: number }) {
  const [isTaken, setTaken] = useState(false);
  const { form, problem, isSending, isAlive } = useForm(async (text) => {
    const { api } = await import('../state/api');
    const held = await api('POST /admin/users/{user}/export', {
      params: { user: String(user) },
      body: { reason: text('reason') },
    });
    saveFile(`member-${user}.json`, JSON.stringify(held, null, 2), 'application/json');
    setTaken(true);
  });
  return (
    <details className={styles.action}>
      <summary>Export the data of a member</summary>
      <FormStack {...form}>
        {problem.message && <FormMessage kind="error">{problem.message}</FormMessage>}
        {isTaken && <FormMessage kind="success">The file was made, and the log says so.</FormMessage>}
        <TextArea
          name="reason"
          label="Why"
          hint="The log keeps it for good. Name no members in it."
          rows={2}
          required
          minLength={3}
          maxLength={500}
          data-missing="Say why in a few words."
          error={problem.fields.reason}
        />
        <div>
          <Button type="submit" disabled={isSending || !isAlive}>
            {isSending ? 'One moment…' : 'Export as JSON'}
          </Button>
        </div>
      </FormStack>
    </details>
  );
}
