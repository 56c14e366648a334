'use client';

import { useId, useRef, useState } from 'react';
import type { ChangeEvent } from 'react';
import type { ManagedPortfolio } from '@/lib/portfolios/schema';
import { pictureLimits } from '@/lib/uploads/schema';
import { Attempt } from '../state/attempt';
import { Button } from '../ui/button';
import { FieldFrame } from '../ui/field-frame';
import { FormMessage } from '../ui/form-message';
import { useAlive } from '../ui/use-alive';
import { Face } from './face';
import styles from './face-field.module.scss';

type FaceFieldProps = { portfolio: ManagedPortfolio; onSaved: (portfolio: ManagedPortfolio) => void };

const mostMegabytes = pictureLimits.bytes / 1024 ** 2;

/** The picture of a portfolio, to upload or take away; either is saved at once. */
export function FaceField({ portfolio: { reference, picture }, onSaved }: FaceFieldProps) {
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const [attempt] = useState(() => new Attempt());
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const isAlive = useAlive();

  async function save(bytes: File | null): Promise<void> {
    setProblem(null);
    if (bytes && bytes.size > pictureLimits.bytes) {
      setProblem(`This picture is larger than ${mostMegabytes} MB. Choose a smaller one.`);
      return;
    }
    setSaving(true);
    try {
      const { api } = await import('../state/api');
      const uploaded = bytes && (await api('POST /user/images', { query: { use: 'face' }, body: bytes }));
      const body = { reference, picture: uploaded ? (uploaded.path.split('/').at(-1) ?? null) : null };
      onSaved(await api('PUT /user/portfolio', { body, idempotencyKey: attempt.keyFor([body, picture]) }));
    } catch (refusal) {
      setProblem(refusal instanceof Error ? refusal.message : 'Something went wrong. Try again.');
    } finally {
      setSaving(false);
    }
  }

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const [chosen] = target.files ?? [];
    target.value = '';
    if (chosen) void save(chosen);
  }

  return (
    <FieldFrame
      label="Picture"
      hint="A JPEG, PNG or WebP, cropped to a square. Without a picture, the portfolio gets a coloured pattern made from its address."
      id={id}
    >
      <div className={styles.field}>
        <Face reference={reference} picture={picture} size="large" />
        <Button look="secondary" size="small" disabled={isSaving || !isAlive} onClick={() => file.current?.click()}>
          {isSaving ? 'Saving…' : picture ? 'Change the picture' : 'Upload a picture'}
        </Button>
        {picture && (
          <Button look="quiet" size="small" disabled={isSaving || !isAlive} onClick={() => void save(null)}>
            Remove the picture
          </Button>
        )}
        <input
          ref={file}
          id={id}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          aria-label="Picture of the portfolio"
          tabIndex={-1}
          className={styles.file}
          onChange={choose}
        />
      </div>
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
    </FieldFrame>
  );
}
