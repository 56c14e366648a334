import { formatDate, formatOdds, formatUnits } from '@/lib/format';
import type { LedgerEntry, Publication } from '@/lib/record/schema';
import type { OddsDisplay } from '@/lib/reference/schema/enumerations';
import { routes } from '@/lib/routes';
import { FigureCell } from '../ui/figure-cell';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import styles from './entry-list.module.scss';
import { Hash } from './hash';

type Viewing = { timeZone: string; oddsDisplay: OddsDisplay };

type EntryListProps = Viewing & { caption: string; entries: readonly LedgerEntry[] };

function picks({ legs }: Publication, display: OddsDisplay): string {
  return legs.map(({ selection, price }) => `${selection.name} at ${formatOdds(price, display)}`).join(', ');
}

const microunitsAHundredth = 10_000;

const profit = (microunits: string) => `${formatUnits(Math.round(Number(microunits) / microunitsAHundredth), { sign: true })} units`;

/** What an entry says, in a line. */
function contentOf(entry: LedgerEntry, { timeZone, oddsDisplay }: Viewing): string {
  switch (entry.kind) {
    case 'tip-published':
      return `Tip published: ${picks(entry.content, oddsDisplay)}`;
    case 'tip-committed':
      return `Tip sealed until its start, ${formatDate(entry.content.opensAt, { timeZone, style: 'day-time' })}`;
    case 'tip-opened':
      return `Sealed tip opened: ${picks(entry.content.publication, oddsDisplay)}`;
    case 'tip-settled':
      return `Tip settled: ${entry.content.outcome.replaceAll('-', ' ')}, ${profit(entry.content.profitMicrounits)}`;
    case 'tip-corrected':
      return `Settlement corrected: ${entry.content.outcome.replaceAll('-', ' ')}, ${profit(entry.content.profitMicrounits)}. ${entry.content.reason}`;
  }
}

/** Entries of the ledger as a table: place, time, content, whose, and the beginning and end of the hash. */
export function EntryList({ caption, entries, timeZone, oddsDisplay }: EntryListProps) {
  return (
    <Table caption={caption} captionHidden>
      <thead>
        <tr>
          <FigureCell as="th" scope="col">
            Entry
          </FigureCell>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col">Portfolio</th>
          <th scope="col">Tip</th>
          <th scope="col">Hash</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.sequence}>
            <FigureCell>{entry.sequence.toLocaleString('en-GB')}</FigureCell>
            <td className={styles.when}>
              <Time dateTime={entry.at}>{formatDate(entry.at, { timeZone, style: 'day-time' })}</Time>
            </td>
            <td className={styles.what}>{contentOf(entry, { timeZone, oddsDisplay })}</td>
            <td className={styles.portfolio}>{entry.portfolio}</td>
            <td>
              <SiteLink href={routes.ledger({ tip: entry.tip })}>{entry.tip}</SiteLink>
            </td>
            <td>
              <Hash of={entry.hash} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
