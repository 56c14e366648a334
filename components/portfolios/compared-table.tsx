import type { ReactNode } from 'react';
import type { LinkedTerm } from '@/lib/content/schema';
import { formatPercent, formatUnits } from '@/lib/format';
import { routes } from '@/lib/routes';
import type { SideBySide, SideBySidePortfolio } from '@/lib/stats/schema';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Units } from '../ui/units';
import { Term } from '../ui/term';
import styles from './compared-table.module.scss';
import { Face } from './face';
import { fewerTips } from './fewer-tips';

type Statistics = SideBySidePortfolio['statistics'];

type ComparedTableProps = {
  portfolios: readonly SideBySidePortfolio[];
  combined: SideBySide['combined'];
  /** The address of the page without one of them. */
  withoutHref: (reference: string) => string;
};

const percent = (value: number | null | undefined, sign = false) =>
  value === null || value === undefined ? '–' : formatPercent(value, { sign });

const rows: readonly {
  title: string;
  term?: LinkedTerm;
  of: (own: Statistics) => ReactNode;
  /** Over how many tips, where it is not over all that are counted above. */
  over?: (own: Statistics) => number | undefined;
  all?: (combined: SideBySide['combined']) => ReactNode;
}[] = [
  {
    title: 'Profit, units',
    term: 'profit',
    of: ({ advised }) => <Units hundredths={advised.profitHundredths} />,
    all: ({ profitHundredths }) => <Units hundredths={profitHundredths} />,
  },
  {
    title: 'Yield',
    term: 'yield',
    of: ({ advised }) => percent(advised.yieldPercent?.value, true),
    all: ({ yieldPercent }) => percent(yieldPercent, true),
  },
  { title: 'Tips', of: ({ tips }) => tips, all: ({ tips }) => tips },
  {
    title: 'Staked, units',
    term: 'turnover',
    of: ({ advised }) => formatUnits(advised.turnoverHundredths),
    all: ({ turnoverHundredths }) => formatUnits(turnoverHundredths),
  },
  { title: 'Strike rate', term: 'strike-rate', of: ({ strikeRatePercent }) => percent(strikeRatePercent?.value) },
  { title: 'Average odds', term: 'average-odds', of: ({ averageOdds }) => averageOdds?.value.toFixed(2) ?? '–' },
  {
    title: 'Max drawdown, units',
    term: 'maximum-drawdown',
    of: ({ advised }) => formatUnits(advised.maxDrawdownHundredths),
    all: ({ maxDrawdownHundredths }) => <>{formatUnits(maxDrawdownHundredths)} by day</>,
  },
  { title: 'Longest losing run', term: 'losing-run', of: ({ longestLosingRun }) => longestLosingRun },
  {
    title: 'Profitable months',
    term: 'profitable-months',
    of: ({ advised: { profitableMonths } }) => `${profitableMonths.profitable} of ${profitableMonths.months}`,
  },
  {
    title: 'Closing line value',
    term: 'closing-line-value',
    of: ({ clvPercent }) => percent(clvPercent?.value, true),
    over: ({ clvPercent }) => clvPercent?.count,
  },
  {
    title: 'Yield 15 min later',
    term: 'followers-prices',
    of: ({ followers }) => percent(followers.after15.advised.yieldPercent, true),
    over: ({ followers }) => followers.after15.tips,
  },
  {
    title: 'Price still there',
    term: 'followers-prices',
    of: ({ followers }) => percent(followers.after15.stillTherePercent),
    over: ({ followers }) => followers.after15.tips,
  },
];

/** The main figures of several tipsters in columns, at advised stakes, with those of all together where they add up. */
export function ComparedTable({ portfolios, combined, withoutHref }: ComparedTableProps) {
  return (
    <Table caption="Side by side, at advised stakes" captionHidden stickyFirstColumn>
      <thead>
        <tr>
          <td />
          {portfolios.map(({ reference, name, picture, demo, statistics }) => (
            <th key={reference} scope="col" className={styles.who}>
              <Face reference={reference} picture={picture} />
              <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink>
              {demo && <Badge tone="quiet">Demo data</Badge>}
              {statistics.tooFew && <Badge tone="notice">Too few to judge</Badge>}
              <SiteLink href={withoutHref(reference)} aria-label={`Remove ${name}`} className={styles.remove}>
                Remove
              </SiteLink>
            </th>
          ))}
          <th scope="col" className={styles.who}>
            Combined
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ title, term, of, over, all }) => (
          <tr key={title}>
            <th scope="row">
              <Term of={term}>{title}</Term>
            </th>
            {portfolios.map(({ reference, statistics }) => (
              <FigureCell key={reference} note={fewerTips(over?.(statistics), statistics.tips)}>
                {of(statistics)}
              </FigureCell>
            ))}
            <FigureCell>{all ? all(combined) : '–'}</FigureCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
