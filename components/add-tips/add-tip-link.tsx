import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { routes } from '@/lib/routes';
import { viewerAtom } from '../state/viewer';
import { ButtonLink } from '../ui/button-link';
import styles from './add-tip-link.module.scss';

type AddTipLinkProps = { fixtureReference: string; startsAt: string };

/** For a tipster, whom only the browser knows: straight to the markets of a fixture, until it starts. */
export function AddTipLink({ fixtureReference, startsAt }: AddTipLinkProps) {
  const viewer = useAtomValue(viewerAtom);
  const [hasStarted] = useState(() => Date.parse(startsAt) <= Date.now());
  const isTipster = viewer.kind === 'member' && viewer.currentPortfolio !== null;
  if (!isTipster || hasStarted) return null;
  return (
    <p className={styles.place}>
      <ButtonLink size="small" href={routes.addTips(fixtureReference)}>
        Add tip
      </ButtonLink>
    </p>
  );
}
