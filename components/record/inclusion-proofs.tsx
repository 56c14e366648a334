import { formatNumber } from '@/lib/format';
import { callAddress } from '@/lib/calls';
import type { TipProof } from '@/lib/record/schema';
import { Hash } from './hash';
import styles from './inclusion-proofs.module.scss';

type InclusionProofsProps = Pick<TipProof, 'tip' | 'checkpoint' | 'entries'>;

/** The way from each entry of a tip up to the signed root, and the same as files that convince by themselves. */
export function InclusionProofs({ tip, checkpoint, entries }: InclusionProofsProps) {
  const proved = entries.flatMap(({ entry, proof }) => (proof ? [{ entry, proof }] : []));
  if (!checkpoint || proved.length === 0)
    return (
      <p className={styles.note}>
        No entry of this tip is under a signed checkpoint yet. One is signed within a minute of a new entry.
      </p>
    );
  return (
    <>
      <p className={styles.note}>
        Hash an entry together with each of these in turn, and you get the root <Hash of={checkpoint.root} />, which the
        checkpoint signs for all {formatNumber(checkpoint.sequence)} entries. Nobody can make such a list for an entry
        that is not in the log.
      </p>
      <ul className={styles.proofs}>
        {proved.map(({ entry: { sequence, hash }, proof: { path } }) => (
          <li key={sequence}>
            <details>
              <summary>
                Entry {formatNumber(sequence)}: {path.length} {path.length === 1 ? 'hash' : 'hashes'} up to the root
              </summary>
              <ol className={styles.path}>
                <li>
                  <Hash of={hash} whole /> the entry
                </li>
                {path.map((step) => (
                  <li key={step}>
                    <Hash of={step} whole />
                  </li>
                ))}
                <li>
                  <Hash of={checkpoint.root} whole /> the root
                </li>
              </ol>
            </details>
            <a href={callAddress('GET /log/proof/{sequence}', { params: { sequence } })}>Download its proof</a>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        Each file is a <code>.tlog-proof</code> (C2SP) that proves its entry offline, without this site.{' '}
        <a href={callAddress('GET /log/proof/tip/{tipReference}', { params: { tipReference: tip } })}>
          Download all of this tip
        </a>
      </p>
    </>
  );
}
