import { formatNumber } from '@/lib/format';
import type { LedgerEntry } from '@/lib/record/schema';
import { routes } from '@/lib/routes';
import { SiteLink } from '../ui/site-link';
import { Moment } from '../formats/moment';
import { Hash } from './hash';
import styles from './last-entry.module.scss';

type LastEntryProps = { entry: LedgerEntry | null; timeZone: string };

/** How far the ledger has come: the number, time and hash of its last entry, and the way to verify it; nothing of an empty ledger. */
export function LastEntry({ entry, timeZone }: LastEntryProps) {
  if (!entry) return null;
  return (
    <dl className={styles.entry}>
      <div>
        <dt>Entries on the record</dt>
        <dd className={styles.count}>
          <SiteLink href={routes.ledger()}>{formatNumber(entry.sequence)}</SiteLink>
        </dd>
      </div>
      <div>
        <dt>The last</dt>
        <dd>
          <Moment at={entry.at} style="day-time" timeZone={timeZone} />
        </dd>
      </div>
      <div>
        <dt>Its hash</dt>
        <dd>
          <Hash of={entry.hash} />
        </dd>
      </div>
    </dl>
  );
}
