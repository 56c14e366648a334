'use client';

import { useId, useRef, useState } from 'react';
import type { ChangeEvent, ReactNode } from 'react';
import type { SafeHtml } from '@/lib/content/schema';
import { Button } from '../ui/button';
import { controlProps, FieldFrame } from '../ui/field-frame';
import { FormMessage } from '../ui/form-message';
import { Html } from '../ui/html';
import { useAlive } from '../ui/use-alive';
import styles from './markdown-field.module.scss';

type MarkdownFieldProps = {
  name: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  rows?: number;
  maxLength: number;
  required?: boolean;
  missing?: string;
  defaultValue?: string;
  /** True where pictures may stand in the text. */
  takesPictures?: boolean;
};

type Shown = { kind: 'text' } | { kind: 'asking' } | { kind: 'preview'; html: SafeHtml };

const why = (error: unknown) => (error instanceof Error ? error.message : 'Something went wrong. Try again.');

/** A text in Markdown with a look at it as it will be shown, made where it will be made. */
export function MarkdownField({
  name,
  label,
  hint,
  error,
  rows = 6,
  maxLength,
  required = false,
  missing,
  defaultValue,
  takesPictures = false,
}: MarkdownFieldProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<Shown>({ kind: 'text' });
  const [problem, setProblem] = useState<string | null>(null);
  const [isUploading, setUploading] = useState(false);
  const isAlive = useAlive();
  const isText = shown.kind === 'text';

  async function preview(): Promise<void> {
    setProblem(null);
    setShown({ kind: 'asking' });
    try {
      const { api } = await import('../state/api');
      const { html } = await api('POST /user/preview', {
        body: { text: area.current?.value ?? '' },
      });
      setShown({ kind: 'preview', html });
    } catch (refusal) {
      setProblem(why(refusal));
      setShown({ kind: 'text' });
    }
  }

  function insert(text: string, selected: string): void {
    const { current: control } = area;
    if (!control) return;
    const at = control.selectionStart;
    control.setRangeText(text, at, control.selectionEnd, 'end');
    const from = at + text.indexOf(selected);
    control.setSelectionRange(from, from + selected.length);
    control.focus();
    // Whoever keeps the form hears of it as of typing.
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }

  async function upload({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [picture] = target.files ?? [];
    target.value = '';
    if (!picture) return;
    setProblem(null);
    setUploading(true);
    try {
      const { api } = await import('../state/api');
      const { path } = await api('POST /user/images', { body: picture });
      insert(`\n\n![What the picture shows](${path})\n\n`, 'What the picture shows');
    } catch (refusal) {
      setProblem(why(refusal));
    } finally {
      setUploading(false);
    }
  }

  return (
    <div className={styles.markdown}>
      <FieldFrame label={label} hint={hint} error={error} id={id}>
        <div className={styles.tools}>
          <Button
            look={isText ? 'secondary' : 'quiet'}
            size="small"
            aria-pressed={isText}
            disabled={!isAlive}
            onClick={() => setShown({ kind: 'text' })}
          >
            Write
          </Button>
          <Button
            look={isText ? 'quiet' : 'secondary'}
            size="small"
            aria-pressed={!isText}
            aria-label={`Preview: ${label}`}
            disabled={!isAlive}
            onClick={() => void preview()}
          >
            Preview
          </Button>
          {takesPictures && (
            <>
              <Button
                look="quiet"
                size="small"
                disabled={isUploading || !isText || !isAlive}
                onClick={() => file.current?.click()}
              >
                {isUploading ? 'Adding…' : 'Add a picture'}
              </Button>
              <input
                ref={file}
                type="file"
                accept="image/jpeg,image/png,image/webp"
                aria-label="A picture for the text"
                tabIndex={-1}
                className={styles.file}
                onChange={(event) => void upload(event)}
              />
            </>
          )}
        </div>
        <textarea
          ref={area}
          name={name}
          rows={rows}
          maxLength={maxLength}
          required={required}
          data-missing={missing}
          defaultValue={defaultValue}
          hidden={!isText}
          className={styles.text}
          {...controlProps(id, { hint, error })}
        />
        {shown.kind === 'asking' && <p className={styles.preview}>One moment…</p>}
        {shown.kind === 'preview' && (
          <div className={styles.preview} role="region" aria-label={`${label}, as it will be shown`}>
            {shown.html === '' ? <p>There is nothing to show yet.</p> : <Html html={shown.html} />}
          </div>
        )}
      </FieldFrame>
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
    </div>
  );
}
