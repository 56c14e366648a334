import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { formatCount, formatNumber } from '@/lib/format';
import { Button } from '../ui/button';
import { Icon } from '../ui/icon';
import { InclusionProofs } from './inclusion-proofs';
import styles from './ledger-verifier.module.scss';
import { verifyLabel } from './verify-label';
import type { Finding } from './verify-in-browser';

type LedgerVerifierProps = {
  /** The tip to verify, null for the whole ledger. */
  tip: string | null;
  /** How many entries there were when the page was made. */
  total: number;
  /** Whether the proof of a tip is shown once it holds; not where the page shows it already. */
  showsProof?: boolean;
};

type State =
  | { kind: 'idle' }
  | { kind: 'running'; checked: number }
  | { kind: 'done'; finding: Finding }
  | { kind: 'failed'; sentence: string }
  | { kind: 'cancelled' };

/** Verifies the ledger, or one tip, in the visitor's browser. */
export function LedgerVerifier({ tip, total, showsProof = false }: LedgerVerifierProps) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setState({ kind: 'running', checked: 0 });
    const onProgress = (checked: number) => setState({ kind: 'running', checked });
    try {
      const { verifyTip, verifyWholeLedger } = await import('./verify-in-browser');
      const finding = await (tip === null
        ? verifyWholeLedger({ signal, onProgress })
        : verifyTip(tip, { signal, onProgress }));
      if (!signal.aborted) setState({ kind: 'done', finding });
    } catch (error) {
      if (!signal.aborted)
        setState({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) });
    }
  };

  const cancel = () => {
    running.current?.abort();
    setState({ kind: 'cancelled' });
  };

  return (
    <div className={styles.verifier}>
      {state.kind === 'running' ? (
        <Progress checked={state.checked} total={total} onCancel={cancel} />
      ) : (
        <Button onClick={() => void start()}>{labelOf(state, tip)}</Button>
      )}
      <div role="status">
        <Outcome state={state} />
      </div>
      {showsProof && state.kind === 'done' && state.finding.proof && <InclusionProofs {...state.finding.proof} />}
    </div>
  );
}

const labelOf = ({ kind }: State, tip: string | null) => (kind === 'idle' ? verifyLabel(tip) : 'Verify again');

function Progress({ checked, total, onCancel }: { checked: number; total: number; onCancel: () => void }) {
  const id = useId();
  return (
    <div className={styles.progress}>
      <label htmlFor={id}>
        {formatCount(checked, 'entry', 'entries')} of {formatNumber(total)} checked
      </label>
      <progress id={id} max={Math.max(total, checked, 1)} value={checked} />
      <Button look="secondary" size="small" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function Outcome({ state }: { state: State }) {
  if (state.kind === 'idle' || state.kind === 'running') return null;
  if (state.kind === 'cancelled') return <p className={styles.note}>Cancelled before it finished: not verified.</p>;
  if (state.kind === 'failed') return <p className={styles.note}>The record could not be verified. {state.sentence}</p>;
  const { ok, sentences } = state.finding;
  const [verdict, ...rest] = sentences;
  return (
    <div className={[styles.finding, ok ? styles.holds : styles.fails].join(' ')}>
      <p className={styles.verdict}>
        <Icon of={ok ? CircleCheck : TriangleAlert} />
        <span>{verdict}</span>
      </p>
      {rest.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}
