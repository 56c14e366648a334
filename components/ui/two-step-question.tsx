'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button';
import { FormMessage } from './form-message';
import { singlePress } from './single-press';
import styles from './two-step-question.module.scss';

type TwoStepQuestionProps = {
  question: ReactNode;
  /** The words of the buttons: to do it, while it is being done, and to leave it. */
  words: { confirm: string; sending: string; leave: string };
  message?: ReactNode;
  isSending: boolean;
  isReady?: boolean;
  onLeave: () => void;
  /** What must be typed or ticked to confirm. */
  children?: ReactNode;
};

/** The second step of what cannot be undone, within its form; what is pressed next begins at its question. */
export function TwoStepQuestion({
  question,
  words,
  message,
  isSending,
  isReady = true,
  onLeave,
  children,
}: TwoStepQuestionProps) {
  const asked = useRef<HTMLParagraphElement>(null);

  useEffect(() => asked.current?.focus(), []);

  return (
    <div className={styles.question}>
      <p ref={asked} tabIndex={-1}>
        <strong>This cannot be undone.</strong> {question}
      </p>
      {children}
      {message && <FormMessage kind="error">{message}</FormMessage>}
      <div className={styles.buttons}>
        <Button type="submit" disabled={isSending || !isReady}>
          {isSending ? words.sending : words.confirm}
        </Button>
        <Button look="secondary" onClick={singlePress(onLeave)}>
          {words.leave}
        </Button>
      </div>
    </div>
  );
}
