import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { closeModal } from '../state/modals';
import type { OpenModal } from '../state/modals';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import styles from './feedback-region.module.scss';

/** Spec §9: how long a message stays. */
export const feedbackMilliseconds = 2500;

/** Where a message appears and is announced, politely; it stands there from the start, since a region that comes with its message is not heard. */
export function FeedbackRegion({ message }: { message: OpenModal<'feedback'> | undefined }) {
  return (
    <div role="status" className={styles.region}>
      {message && <FeedbackMessage key={message.turn} {...message.props} />}
    </div>
  );
}

function FeedbackMessage({ title, text, kind, action }: OpenModal<'feedback'>['props']) {
  const titleId = useId();
  const held = useRef(new Set<'pointer' | 'focus'>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const hold = (by: 'pointer' | 'focus', isHeld: boolean) => {
    if (isHeld) held.current.add(by);
    else held.current.delete(by);
    clearTimeout(timer.current);
    if (held.current.size === 0) timer.current = setTimeout(() => closeModal('feedback'), feedbackMilliseconds);
  };

  useEffect(() => {
    timer.current = setTimeout(() => closeModal('feedback'), feedbackMilliseconds);
    return () => clearTimeout(timer.current);
  }, []);

  return (
    <dialog
      open
      aria-labelledby={titleId}
      className={[styles.message, styles[kind]].join(' ')}
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocus={() => hold('focus', true)}
      onBlur={() => hold('focus', false)}
      onKeyDown={(event) => event.key === 'Escape' && closeModal('feedback')}
    >
      <p id={titleId} className={styles.title}>
        {title}
      </p>
      <p>{text}</p>
      {action && (
        <p>
          <Button
            look="secondary"
            size="small"
            onClick={() => {
              closeModal('feedback');
              action.run();
            }}
          >
            {action.title}
          </Button>
        </p>
      )}
      <Button look="quiet" size="small" aria-label="Close the message" onClick={() => closeModal('feedback')}>
        <Icon of={X} size="small" />
      </Button>
    </dialog>
  );
}
