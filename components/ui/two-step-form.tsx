'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from './button';
import styles from './two-step-form.module.scss';
import { TwoStepQuestion } from './two-step-question';
import { useAlive } from './use-alive';

type TwoStepFormProps = {
  /** What it means, said before anything is asked. */
  meaning: ReactNode;
  /** The words of the buttons: to begin, to do it, while it is being done, and to leave it. */
  words: { begin: string; confirm: string; sending: string; leave: string };
  question: ReactNode;
  form: Omit<ComponentProps<'form'>, 'className' | 'children'>;
  message?: ReactNode;
  isSending: boolean;
  /** False until the form can check what is typed into it. */
  isReady?: boolean;
  /** What must be typed or ticked to confirm. */
  children: ReactNode;
};

/** What cannot be undone, asked for in two steps; the second begins at its question. */
export function TwoStepForm({
  meaning,
  words,
  question,
  form,
  message,
  isSending,
  isReady = true,
  children,
}: TwoStepFormProps) {
  const [isAsking, setAsking] = useState(false);
  const [hasAsked, setAsked] = useState(false);
  const isAlive = useAlive();

  return (
    <div className={styles.steps}>
      <p>{meaning}</p>
      {isAsking ? (
        <form className={styles.form} {...form}>
          <TwoStepQuestion
            question={question}
            words={words}
            message={message}
            isSending={isSending}
            isReady={isReady}
            onLeave={() => setAsking(false)}
          >
            {children}
          </TwoStepQuestion>
        </form>
      ) : (
        <Button
          look="secondary"
          disabled={!isAlive}
          autoFocus={hasAsked}
          onClick={() => {
            setAsked(true);
            setAsking(true);
          }}
        >
          {words.begin}
        </Button>
      )}
    </div>
  );
}
