'use client';

import { useState } from 'react';
import type { FactorKey } from '@/lib/staff/schema';
import { Button } from '../ui/button';
import { ButtonLink } from '../ui/button-link';
import { Field } from '../ui/field';
import { FormMessage } from '../ui/form-message';
import { FormStack } from '../ui/form-stack';
import { useForm } from '../ui/use-form';
import { QrCode } from './qr-code';
import styles from './factor-set-up.module.scss';

/** Product §11: sets up a second factor: a key for the authenticator, a code that shows that it works, ten recovery codes, and on. */
export function FactorSetUp({ target }: { target: string }) {
  const [key, setKey] = useState<FactorKey | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useForm(async () => {
    const { api } = await import('../state/api');
    setKey(await api('POST /admin/second-factor/begin'));
  });
  const confirm = useForm(async (text) => {
    const { api } = await import('../state/api');
    setCodes((await api('POST /admin/second-factor/confirm', { body: { code: text('code') } })).recoveryCodes);
  });

  if (codes)
    return (
      <div className={styles.step} role="status">
        <h2>Your recovery codes</h2>
        <p>
          Each is good once, for a day without your phone. Print them or keep them where you keep passwords: they are
          shown this one time.
        </p>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div>
          <ButtonLink href={target}>I have kept them</ButtonLink>
        </div>
      </div>
    );
  if (key === null)
    return (
      <FormStack {...begin.form}>
        {begin.problem.message && <FormMessage kind="error">{begin.problem.message}</FormMessage>}
        <div>
          <Button type="submit" disabled={begin.isSending || !begin.isAlive}>
            Make a key
          </Button>
        </div>
      </FormStack>
    );
  return (
    <FormStack {...confirm.form}>
      <p>Scan this with your authenticator:</p>
      <QrCode picture={key.picture} label="QR code of the key below, for the camera of your authenticator" />
      <p>
        Or type the key into it, or <a href={key.address}>open it there</a> on this device:
      </p>
      <p>
        <code className={styles.key}>{key.key.match(/.{4}/g)?.join(' ')}</code>
      </p>
      {confirm.problem.message && <FormMessage kind="error">{confirm.problem.message}</FormMessage>}
      <Field
        name="code"
        label="The six digits that it shows now"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={7}
        data-missing="Enter the six digits."
        error={confirm.problem.fields.code}
      />
      <div>
        <Button type="submit" disabled={confirm.isSending || !confirm.isAlive}>
          {confirm.isSending ? 'One moment…' : 'It works'}
        </Button>
      </div>
    </FormStack>
  );
}
