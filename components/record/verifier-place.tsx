import type { ComponentProps } from 'react';
import { Island } from '../islands/island';
import { Button } from '../ui/button';
import type { LedgerVerifier } from './ledger-verifier';
import styles from './ledger-verifier.module.scss';
import { verifyLabel } from './verify-label';

/** The button that verifies the record in the visitor's browser; nothing where no script runs. */
export function VerifierPlace(props: ComponentProps<typeof LedgerVerifier>) {
  return (
    <Island name="verifier" props={props}>
      <div className={[styles.verifier, styles.scripted].join(' ')}>
        <Button>{verifyLabel(props.tip)}</Button>
      </div>
    </Island>
  );
}
