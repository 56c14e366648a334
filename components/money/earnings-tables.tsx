import { formatAmount } from '@/lib/amounts';
import { formatMonth, formatPercent } from '@/lib/format';
import type { Earnings } from '@/lib/memberships/schema';
import { periodTitle } from '../memberships/words';
import { FigureCell } from '../ui/figure-cell';
import { FigureHead } from '../ui/figure-head';
import { Stat } from '../ui/stat';
import { Stats } from '../ui/stats';
import { Table } from '../ui/table';
import { Time } from '../ui/time';
import { EarningPostings } from './earning-postings';
import styles from './parts.module.scss';

type Month = Earnings['months'][number];

const amount = (title: string, pick: (month: Month) => number) => ({
  title,
  of: (month: Month) => formatAmount(pick(month), month.currencyId),
});

const figuresOfAll = [
  { title: 'Sales', of: ({ sales }: Month) => String(sales) },
  amount('Sold', ({ soldMinor }) => soldMinor),
  amount('Discounts', ({ discountMinor }) => discountMinor),
  amount('Refunded', ({ refundedMinor }) => refundedMinor),
  amount('Charged back', ({ chargedBackMinor }) => chargedBackMinor),
  amount('Fee', ({ feeMinor }) => feeMinor),
];
const affiliates = amount('Affiliates', ({ affiliateMinor }) => affiliateMinor);
const earned = amount('Earned', ({ earnedMinor }) => earnedMinor);

/** What a portfolio earned: who comes and goes, the months by plan, and its shares of Pro, each down to its postings. */
export function EarningsTables({ earnings, timeZone }: { earnings: Earnings; timeZone: string }) {
  const { months, shares, promises, members } = earnings;
  const hasAffiliates = months.some(({ affiliateMinor }) => affiliateMinor !== 0);
  const figures = hasAffiliates ? [...figuresOfAll, affiliates, earned] : [...figuresOfAll, earned];
  return (
    <div className={styles.parts}>
      <Stats>
        <Stat label="Members">{members.now}</Stat>
        <Stat label="New" note="past 30 days">
          {members.new}
        </Stat>
        <Stat label="Left" note="past 30 days">
          {members.left}
        </Stat>
        {members.churnPercent !== null && (
          <Stat label="Churn" note="of the members 30 days ago">
            {formatPercent(members.churnPercent)}
          </Stat>
        )}
        <Stat label="Leaving" note="cancelled, still has access">
          {members.leaving}
        </Stat>
      </Stats>
      {months.length > 0 && (
        <Table caption="By month and plan" narrow="stack">
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Plan</th>
              {figures.map(({ title }) => (
                <FigureHead key={title}>{title}</FigureHead>
              ))}
            </tr>
          </thead>
          {months.map((month) => (
            <tbody key={`${month.month}-${month.period}-${month.currencyId}`}>
              <tr>
                <th scope="row">
                  <Time dateTime={month.month}>{formatMonth(month.month)}</Time>
                </th>
                <td data-label="Plan">{periodTitle[month.period]}</td>
                {figures.map(({ title, of }) => (
                  <FigureCell key={title} data-label={title}>
                    {of(month)}
                  </FigureCell>
                ))}
              </tr>
              <tr data-under="">
                <td colSpan={figures.length + 2}>
                  <EarningPostings
                    postings={month.postings}
                    more={month.morePostings}
                    row={`${formatMonth(month.month)}, ${periodTitle[month.period].toLowerCase()}`}
                    timeZone={timeZone}
                  />
                </td>
              </tr>
            </tbody>
          ))}
        </Table>
      )}
      {hasAffiliates && (
        <p>What affiliates earn by bringing buyers is paid from our fee. It takes nothing off what you earned.</p>
      )}
      {shares.length > 0 && (
        <Table caption="Shares of Tipledger Pro">
          <thead>
            <tr>
              <th scope="col">Month</th>
              <FigureHead>Earned</FigureHead>
            </tr>
          </thead>
          {shares.map(({ month, currencyId, earnedMinor, postings, morePostings }) => (
            <tbody key={`${month}-${currencyId}`}>
              <tr>
                <th scope="row">
                  <Time dateTime={month}>{formatMonth(month)}</Time>
                </th>
                <FigureCell>{formatAmount(earnedMinor, currencyId)}</FigureCell>
              </tr>
              <tr data-under="">
                <td colSpan={2}>
                  <EarningPostings
                    postings={postings}
                    more={morePostings}
                    row={`${formatMonth(month)}, shares of Tipledger Pro`}
                    timeZone={timeZone}
                  />
                </td>
              </tr>
            </tbody>
          ))}
        </Table>
      )}
      {promises.kept + promises.missed > 0 && (
        <p>
          Periods sold with a guarantee: {promises.kept} met, {promises.missed} missed.
        </p>
      )}
    </div>
  );
}
