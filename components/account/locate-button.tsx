'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import styles from './locate-button.module.scss';

type State = 'asked' | 'told' | 'unknown' | null;

const words = {
  asked: 'Looking…',
  told: 'Set from your location.',
  unknown: 'We couldn’t find your location. Choose your country above.',
};

type LocateButtonProps = { fallback: string; onLocated: (location: string) => void };

/** Sets a country from where the visitor is: pressing it is the consent, and the browser asks once more. Spec §8: a position that cannot be told is the default country. */
export function LocateButton({ fallback, onLocated }: LocateButtonProps) {
  const [state, setState] = useState<State>(null);

  async function locate(): Promise<void> {
    setState('asked');
    const { locateCountry } = await import('./locate');
    const location = await locateCountry();
    onLocated(location ?? fallback);
    setState(location === null ? 'unknown' : 'told');
  }

  return (
    <div className={styles.locate}>
      <Button look="quiet" size="small" disabled={state === 'asked'} onClick={() => void locate()}>
        Use my location
      </Button>
      <p className={styles.words} role="status">
        {state === null
          ? 'Your browser will ask first. We send your rough position (about 10 km) to a service that names the country.'
          : words[state]}
      </p>
    </div>
  );
}
