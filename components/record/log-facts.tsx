import { callAddress } from '@/lib/calls';
import styles from './checkpoint-facts.module.scss';
import { Hash } from './hash';

type LogFactsProps = { origin: string; vkeys: readonly string[]; witnesses: readonly string[] };

/** The log as tools of that ecosystem name it: its name, its keys, who cosigned the newest checkpoint, and where it is read. */
export function LogFacts({ origin, vkeys, witnesses }: LogFactsProps) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Name of the log</dt>
        <dd>
          <Hash of={origin} whole />
        </dd>
      </div>
      {vkeys.map((vkey, index) => (
        <div key={vkey}>
          <dt>{index === vkeys.length - 1 ? 'Key' : 'Earlier key'}</dt>
          <dd>
            <Hash of={vkey} whole />
          </dd>
        </div>
      ))}
      <div>
        <dt>Cosigned by</dt>
        <dd>{witnesses.length > 0 ? witnesses.join(', ') : 'No witness yet'}</dd>
      </div>
      <div>
        <dt>Download</dt>
        <dd>
          <a href={callAddress('GET /log/checkpoint')}>The newest checkpoint as a signed note</a>,{' '}
          <a href={callAddress('GET /log/keys')}>its keys</a>
        </dd>
      </div>
    </dl>
  );
}
