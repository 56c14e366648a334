'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { showFeedback } from '../state/modals';
import { Button } from '../ui/button';
import { singlePress } from '../ui/single-press';
import { useAlive } from '../ui/use-alive';

/** Removes a bet that is not settled from one's record, with a second press. */
export function RemoveBet({ reference, title }: { reference: string; title: string }) {
  const router = useRouter();
  const isAlive = useAlive();
  const [state, setState] = useState<'idle' | 'asked' | 'sending'>('idle');
  const [hasAsked, setAsked] = useState(false);

  async function remove(): Promise<void> {
    setState('sending');
    try {
      const { api } = await import('../state/api');
      await api('DELETE /user/bets/{reference}', { params: { reference } });
      showFeedback({ title: 'Bet removed', text: `${title} is no longer in your record.`, kind: 'success' });
      router.refresh();
    } catch (error) {
      showFeedback({
        title: 'Error',
        text: error instanceof Error ? error.message : 'Try again later.',
        kind: 'error',
      });
      setState('idle');
    }
  }

  if (state === 'idle') {
    return (
      <Button
        key="first"
        look="quiet"
        size="small"
        aria-label={`Remove bet: ${title}`}
        disabled={!isAlive}
        autoFocus={hasAsked}
        onClick={() => {
          setAsked(true);
          setState('asked');
        }}
      >
        Remove bet
      </Button>
    );
  }
  return (
    <>
      <Button
        key="second"
        look="secondary"
        size="small"
        autoFocus
        disabled={state === 'sending'}
        onClick={singlePress(() => void remove())}
      >
        Remove {title}
      </Button>{' '}
      <Button look="quiet" size="small" disabled={state === 'sending'} onClick={() => setState('idle')}>
        Keep bet
      </Button>
    </>
  );
}
