import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment } from 'react';
import type { LinkedTerm } from '@/lib/content/schema';
import { formatCount, formatPercent, formatUnits } from '@/lib/format';
import { routes } from '@/lib/routes';
import { type ComparedPortfolio, ComparisonOrder, Direction, shownResults } from '@/lib/stats/schema';
import { LetterList } from '../stats/letter-list';
import { ProfitSketch } from '../stats/profit-sketch';
import { Badge } from '../ui/badge';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Icon } from '../ui/icon';
import { SiteLink } from '../ui/site-link';
import { Table } from '../ui/table';
import { Units } from '../ui/units';
import { VisuallyHidden } from '../ui/visually-hidden';
import { Term } from '../ui/term';
import styles from './discover-table.module.scss';
import { Face } from './face';
import { fewerTips } from './fewer-tips';
import { FollowButton } from './follow-button';
import { PriceNote } from './price-note';
import { SpecialityNote } from './speciality-note';

/** By what the rows are ordered, and the address of another order. */
export type TableOrder = {
  order: ComparisonOrder;
  direction: Direction;
  hrefOf: (order: ComparisonOrder, direction: Direction) => string;
};

type DiscoverTableProps = {
  caption: string;
  portfolios: readonly ComparedPortfolio[];
  plan: 'advised' | 'level';
  order: TableOrder;
  /** The form that the ticks of the rows belong to. */
  form: string;
};

const heads: readonly { title: string; order: ComparisonOrder; term?: LinkedTerm }[] = [
  { title: 'Tips', order: ComparisonOrder.tips },
  { title: 'Profit, units', order: ComparisonOrder.profit, term: 'profit' },
  { title: 'Yield', order: ComparisonOrder.yield, term: 'yield' },
  { title: 'Strike rate', order: ComparisonOrder.strikeRate, term: 'strike-rate' },
  { title: 'Average odds', order: ComparisonOrder.averageOdds, term: 'average-odds' },
  { title: 'Max drawdown, units', order: ComparisonOrder.drawdown, term: 'maximum-drawdown' },
  { title: 'CLV', order: ComparisonOrder.clv, term: 'closing-line-value' },
  { title: 'Yield 15 min later', order: ComparisonOrder.followerYield },
  { title: 'Price still there', order: ComparisonOrder.stillThere, term: 'followers-prices' },
  { title: 'Followers', order: ComparisonOrder.followers },
];

const smallestIsBest: readonly ComparisonOrder[] = [ComparisonOrder.drawdown, ComparisonOrder.name];

/** The direction in which the figures of a column run, from top to bottom; undefined where the rows are in another order. */
function sortOf(order: ComparisonOrder, now: TableOrder): 'ascending' | 'descending' | undefined {
  if (order !== now.order) return undefined;
  const isAscending = smallestIsBest.includes(order) === (now.direction === Direction.bestFirst);
  return isAscending ? 'ascending' : 'descending';
}

const later = (percent: number | null, options?: { sign: boolean }) =>
  percent === null ? '–' : formatPercent(percent, options);

// The heads order the rows, so they cannot lead to what they mean.
const explained = heads.filter(({ term }) => term !== undefined);

/** Portfolios one a row with the figures that they are compared by; every head orders by its column, and the other way round when it does already. */
export function DiscoverTable({ caption, portfolios, plan, order, form }: DiscoverTableProps) {
  return (
    <>
      <Table caption={caption} captionHidden stickyFirstColumn dense>
        <thead>
          <tr>
            <th scope="col" aria-sort={sortOf(ComparisonOrder.name, order)}>
              <HeadLink title="Tipster" by={ComparisonOrder.name} now={order} />
            </th>
            <th scope="col">
              <span className={styles.head}>Form</span>
            </th>
            {heads.map(({ title, order: by }) => (
              <FigureHead key={title} aria-sort={sortOf(by, order)}>
                <HeadLink title={title} by={by} now={order} />
              </FigureHead>
            ))}
            <FigureHead>Price a month, from</FigureHead>
            <th scope="col">
              <VisuallyHidden>Follow</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {portfolios.map((portfolio) => (
            <Row key={portfolio.reference} portfolio={portfolio} plan={plan} form={form} />
          ))}
        </tbody>
      </Table>
      <Terms />
    </>
  );
}

function Terms() {
  return (
    <p className={styles.terms}>
      What the figures mean:{' '}
      {explained.map(({ title, term }, index) => (
        <Fragment key={title}>
          {index > 0 && ', '}
          <Term of={term}>{title.replace(', units', '')}</Term>
        </Fragment>
      ))}
      .
    </p>
  );
}

function HeadLink({ title, by, now }: { title: string; by: ComparisonOrder; now: TableOrder }) {
  const sort = sortOf(by, now);
  const next = sort && now.direction === Direction.bestFirst ? Direction.worstFirst : Direction.bestFirst;
  return (
    <SiteLink href={now.hrefOf(by, next)} className={styles.head} data-active={sort ? '' : undefined}>
      {title}
      {sort && <Icon of={sort === 'ascending' ? ArrowUp : ArrowDown} size="small" />}
    </SiteLink>
  );
}

function Row({ portfolio, plan, form }: { portfolio: ComparedPortfolio; plan: 'advised' | 'level'; form: string }) {
  const { reference, name, owner, demo, followers, statistics, picture, speciality, curve } = portfolio;
  const letters = portfolio.form.slice(-shownResults);
  const own = statistics[plan];
  const { after15 } = statistics.followers;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <div className={styles.who}>
          <label className={styles.tick}>
            <input type="checkbox" name="with" value={reference} form={form} />
            <VisuallyHidden>Compare {name}</VisuallyHidden>
          </label>
          <Face reference={reference} picture={picture} />
          <div>
            <SiteLink href={routes.portfolio(reference)}>{name}</SiteLink>
            <span className={styles.facts}>{speciality ? <SpecialityNote speciality={speciality} /> : owner}</span>
            {(demo || statistics.tooFew) && (
              <span className={styles.facts}>
                {demo && <Badge tone="quiet">Demo data</Badge>}
                {statistics.tooFew && <Badge tone="notice">Too few to judge</Badge>}
              </span>
            )}
          </div>
        </div>
      </th>
      <td className={styles.form}>
        <ProfitSketch
          curve={curve}
          label={`Profit curve, to ${formatUnits(own.profitHundredths, { sign: true })} units`}
        />
        {letters && (
          <LetterList
            letters={letters}
            size="small"
            label={`Last ${formatCount(letters.length, 'result', 'results')}, oldest first`}
          />
        )}
      </td>
      <FigureCell>{statistics.tips}</FigureCell>
      <FigureCell>
        <Units hundredths={own.profitHundredths} />
      </FigureCell>
      <FigureCell>{own.yieldPercent ? formatPercent(own.yieldPercent.value, { sign: true }) : '–'}</FigureCell>
      <FigureCell>{statistics.strikeRatePercent ? formatPercent(statistics.strikeRatePercent.value) : '–'}</FigureCell>
      <FigureCell>{statistics.averageOdds?.value.toFixed(2) ?? '–'}</FigureCell>
      <FigureCell>{formatUnits(Number(own.maxDrawdownHundredths))}</FigureCell>
      <FigureCell note={fewerTips(statistics.clvPercent?.count, statistics.tips)}>
        {statistics.clvPercent ? formatPercent(statistics.clvPercent.value, { sign: true }) : '–'}
      </FigureCell>
      <FigureCell note={fewerTips(after15.tips, statistics.tips)}>
        {later(after15[plan].yieldPercent, { sign: true })}
      </FigureCell>
      <FigureCell note={fewerTips(after15.tips, statistics.tips)}>{later(after15.stillTherePercent)}</FigureCell>
      <FigureCell>{followers}</FigureCell>
      <FigureCell>
        {portfolio.price ? (
          <div className={styles.price}>
            <PriceNote portfolio={portfolio} />
          </div>
        ) : (
          '–'
        )}
      </FigureCell>
      <td className={styles.follow}>
        <FollowButton portfolioReference={reference} name={name} />
      </td>
    </tr>
  );
}
