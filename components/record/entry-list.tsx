import { Fragment } from 'react';
import { formatNumber, formatUnits } from '@/lib/format';
import type { LedgerEntry, Publication } from '@/lib/record/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { hundredthsOf } from '@/lib/stats/rules';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Moment } from '../formats/moment';
import { Odds } from '../formats/odds';
import styles from './entry-list.module.scss';
import { Hash } from './hash';

type Formats = { timeZone: string; oddsDisplay: OddsDisplay };

type EntryListProps = Formats & { caption: string; entries: readonly LedgerEntry[] };

function Picks({ of: { legs }, display }: { of: Publication; display: OddsDisplay }) {
  return legs.map(({ selection, price }, index) => (
    <Fragment key={index}>
      {index > 0 && ', '}
      {selection.name} at <Odds price={price} display={display} />
    </Fragment>
  ));
}

const profit = (microunits: string) => `${formatUnits(hundredthsOf(BigInt(microunits)), { sign: true })} units`;

/** What an entry says, in a line. */
function Content({ entry, timeZone, oddsDisplay }: Formats & { entry: LedgerEntry }) {
  switch (entry.kind) {
    case 'tip-published':
      return (
        <>
          Tip published: <Picks of={entry.content} display={oddsDisplay} />
        </>
      );
    case 'tip-committed':
      return (
        <>
          Tip sealed until its start, <Moment at={entry.content.opensAt} style="day-time" timeZone={timeZone} />
        </>
      );
    case 'tip-opened':
      return (
        <>
          Sealed tip opened: <Picks of={entry.content.publication} display={oddsDisplay} />
        </>
      );
    case 'tip-settled':
      return `Tip settled: ${entry.content.outcome.replaceAll('-', ' ')}, ${profit(entry.content.profitMicrounits)}`;
    case 'portfolios-counted':
      return `All portfolios counted: ${formatNumber(entry.content.portfolios)}, so that none can lose its last entries`;
    case 'tip-corrected':
      return `Settlement corrected: ${entry.content.outcome.replaceAll('-', ' ')}, ${profit(entry.content.profitMicrounits)}. ${entry.content.reason}`;
  }
}

/** Entries of the ledger as a table: place, time, content, whose, and the beginning and end of the hash. */
export function EntryList({ caption, entries, timeZone, oddsDisplay }: EntryListProps) {
  return (
    <Table caption={caption} captionHidden narrow="stack">
      <thead>
        <tr>
          <FigureHead>Entry</FigureHead>
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
            <FigureCell data-label="Entry">{formatNumber(entry.sequence)}</FigureCell>
            <td className={styles.when} data-label="When">
              <Moment at={entry.at} style="day-time" timeZone={timeZone} />
            </td>
            <td className={styles.what}>
              <Content entry={entry} timeZone={timeZone} oddsDisplay={oddsDisplay} />
            </td>
            <td className={styles.portfolio} data-label="Portfolio">
              {'tip' in entry ? entry.portfolio : 'All'}
            </td>
            <td data-label="Tip">
              {'tip' in entry ? <SiteLink href={routes.ledger({ tip: entry.tip })}>{entry.tip}</SiteLink> : 'None'}
            </td>
            <td data-label="Hash">
              <Hash of={entry.hash} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
