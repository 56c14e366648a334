import { formatNumber } from '@/lib/format';
import type { Checkpoint } from '@/lib/record/schema';
import { Moment } from '../formats/moment';
import styles from './checkpoint-facts.module.scss';
import { Hash } from './hash';

/** What a checkpoint states and who signed it, whole, so that it can be copied and kept. */
export function CheckpointFacts({ checkpoint, timeZone }: { checkpoint: Checkpoint; timeZone: string }) {
  const { sequence, at, hash, root, keyId, signature } = checkpoint;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Covers</dt>
        <dd>Entries 1 to {formatNumber(sequence)}</dd>
      </div>
      <div>
        <dt>Signed at</dt>
        <dd>
          <Moment at={at} style="day-time" timeZone={timeZone} />
        </dd>
      </div>
      {Object.entries({ 'Key id': keyId, 'Last hash': hash, 'Tree root': root, Signature: signature }).map(
        ([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Hash of={text} whole />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
