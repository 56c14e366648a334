import { formatPercent, formatUnits } from '@/lib/format';
import { routes } from '@/lib/routes';
import type { ComparedPortfolio } from '@/lib/stats/schema';
import { FollowButton } from '../account/follow-button';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { VisuallyHidden } from '../ui/visually-hidden';
import styles from './discover-table.module.scss';
import { Units } from './units';

type DiscoverTableProps = { caption: string; portfolios: readonly ComparedPortfolio[]; plan: 'advised' | 'level' };

const later = (percent: number | null, options?: { sign: boolean }) =>
  percent === null ? '–' : formatPercent(percent, options);

/** Portfolios one a row with the figures that they are compared by. */
export function DiscoverTable({ caption, portfolios, plan }: DiscoverTableProps) {
  const heads = [
    'Tips',
    'Profit',
    'Yield',
    'Strike rate',
    'Odds',
    'Deepest fall',
    'CLV',
    'Yield 15 min later',
    'Price still there',
    'Followers',
  ];
  return (
    <Table caption={caption} captionHidden stickyFirstColumn>
      <thead>
        <tr>
          <th scope="col">Portfolio</th>
          {heads.map((head) => (
            <FigureHead key={head}>{head}</FigureHead>
          ))}
          <th scope="col">
            <VisuallyHidden>Follow</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {portfolios.map(({ reference, name, owner, demo, followers, statistics }) => (
          <tr key={reference}>
            <th scope="row" className={styles.name}>
              <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink>
              <span>
                {owner} {demo && <Badge tone="quiet">Demo data</Badge>}{' '}
                {statistics.tooFew && <Badge tone="notice">Too few to judge</Badge>}
              </span>
            </th>
            <FigureCell>{statistics.tips}</FigureCell>
            <FigureCell>
              <Units hundredths={statistics[plan].profitHundredths} />
            </FigureCell>
            <FigureCell>
              {statistics[plan].yieldPercent ? formatPercent(statistics[plan].yieldPercent.value, { sign: true }) : '–'}
            </FigureCell>
            <FigureCell>
              {statistics.strikeRatePercent ? formatPercent(statistics.strikeRatePercent.value) : '–'}
            </FigureCell>
            <FigureCell>{statistics.averageOdds?.value.toFixed(2) ?? '–'}</FigureCell>
            <FigureCell>{formatUnits(Number(statistics[plan].maxDrawdownHundredths))}</FigureCell>
            <FigureCell>
              {statistics.clvPercent ? formatPercent(statistics.clvPercent.value, { sign: true }) : '–'}
            </FigureCell>
            <FigureCell>{later(statistics.followers.after15[plan].yieldPercent, { sign: true })}</FigureCell>
            <FigureCell>{later(statistics.followers.after15.stillTherePercent)}</FigureCell>
            <FigureCell>{followers}</FigureCell>
            <td className={styles.follow}>
              <FollowButton portfolioReference={reference} name={name} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
