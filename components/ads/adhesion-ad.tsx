import { useAtomValue } from 'jotai';
import { X } from 'lucide-react';
import { adhesionShownAtom, closeAdhesion } from '../state/ads';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import styles from './adhesion-ad.module.scss';

/** Spec §4: the advertisement that sticks to the window's end and can be closed for the session. */
export function AdhesionAd() {
  if (!useAtomValue(adhesionShownAtom)) return null;
  return (
    <aside className={styles.bar} aria-label="Advertisement">
      <div data-ad-slot="adhesion" className={styles.place} />
      <Button look="secondary" size="small" aria-label="Close the advertisement" onClick={closeAdhesion}>
        <Icon of={X} />
      </Button>
    </aside>
  );
}
