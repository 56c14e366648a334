'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import styles from './locate-button.module.scss';

type State = 'asked' | 'told' | 'unknown' | null;

const words = {
  asked: 'Looking…',
  told: 'Set from your location.',
  unknown: 'Your location could not be told. Choose your country above.',
};

/** Sets a country from where the visitor is: pressing it is the consent, and the browser asks once more. */
export function LocateButton({ onLocated }: { onLocated: (location: string) => void }) {
  const [state, setState] = useState<State>(null);

  async function locate(): Promise<void> {
    setState('asked');
    const { locateCountry } = await import('./locate');
    const location = await locateCountry();
    if (location !== null) onLocated(location);
    setState(location === null ? 'unknown' : 'told');
  }

  return (
    <div className={styles.locate}>
      <Button look="quiet" size="small" disabled={state === 'asked'} onClick={() => void locate()}>
        Use my location
      </Button>
      <p className={styles.words} role="status">
        {state === null
          ? 'Your browser asks you first. Your position, to some ten kilometres, is told to a service that names the country.'
          : words[state]}
      </p>
    </div>
  );
}
