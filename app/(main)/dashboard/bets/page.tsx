import { NotebookPen } from 'lucide-react';
import type { Metadata } from 'next';
import { DashboardHead } from '@/components/account/dashboard-head';
import { BetFilterForm } from '@/components/bet-slip/bet-filter-form';
import { BetList } from '@/components/bet-slip/bet-list';
import { BetSlipSection } from '@/components/bet-slip/bet-slip-section';
import { MonthTable } from '@/components/stats/month-table';
import { ProfitChart } from '@/components/stats/profit-chart';
import type { RecordWords } from '@/components/stats/record-words';
import { SummaryStats } from '@/components/stats/summary-stats';
import { ButtonLink } from '@/components/ui/button-link';
import { CsvDownload } from '@/components/account/csv-download';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { betsAPage, findBetPlace, getBetRecord, listBets } from '@/lib/bets/queries';
import {
  type BetFilter,
  betFilterSchema,
  betParamsSchema,
  type BetRecord,
  tipLegsParamsSchema,
} from '@/lib/bets/schema';
import { pageMetadata, type PageQuery, single } from '@/lib/pages/page';
import { skipFrom } from '@/lib/pages/portfolio-page';
import { formatCount } from '@/lib/format';
import { currencies, CurrencyId } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';
import { TookThisSection } from './_sections/took-this-section';

export const dynamic = 'force-dynamic';

type BetsPageProps = { searchParams: Promise<PageQuery> };

export const metadata: Metadata = pageMetadata({
  title: 'My bets',
  description: 'Your bet slip, and the record of your own bets.',
  path: routes.bets(),
  index: false,
});

/** What an address cannot mean is left out of it. */
function filterFrom(given: Record<string, string | string[] | undefined>): BetFilter {
  const parts = { sport: single(given.sport), period: single(given.period), currency: single(given.currency) };
  const usable = Object.entries(parts).filter(
    ([name, value]) => value !== undefined && betFilterSchema.safeParse({ [name]: value }).success,
  );
  return betFilterSchema.parse(Object.fromEntries(usable));
}

/** The bet that an address asks to be shown; undefined when it names none. */
const betFrom = (given = ''): string | undefined => betParamsSchema.safeParse({ reference: given }).data?.reference;

/** The tip whose legs an address puts into the slip, as "portfolio/tip"; undefined when it names none. */
function slipTipFrom(given = ''): string | undefined {
  const [portfolio, tip, ...more] = given.split('/');
  return more.length === 0 && tipLegsParamsSchema.safeParse({ portfolio, tip }).success ? given : undefined;
}

const currencyOf = (id: CurrencyId) => currencies.find((currency) => currency.id === id);

const wordsOf = ({ currencyId }: BetRecord): RecordWords => ({
  one: 'bet',
  many: 'bets',
  unit: currencyId === CurrencyId.UNITS ? 'units' : (currencyOf(currencyId)?.code ?? ''),
  stakes: 'your stakes',
});

export default async function BetsPage({ searchParams }: BetsPageProps) {
  const given = await searchParams;
  const [portfolio, tip, asked] = [single(given.portfolio), single(given.tip), betFrom(single(given.bet))];
  const toTake = slipTipFrom(single(given.slip));
  const chosen = filterFrom(given);
  const period = single(given.period) === undefined ? undefined : chosen.period;
  const { viewer, settings, now, timeZone, oddsDisplay } = await readMember(routes.bets(), given);
  const place = asked ? await findBetPlace(viewer, asked) : null;
  const filter = place ? betFilterSchema.parse({ currency: String(place.currencyId) }) : chosen;
  const skip = place ? place.skip : skipFrom(given.skip);
  const choice = { sport: filter.sport, period: place ? undefined : period, currency: filter.currency };
  const record = await getBetRecord(viewer, filter, now);
  const page = await listBets(viewer, { ...filter, currency: record.currencyId, skip }, now);
  const back = Math.max(0, skip - betsAPage);
  const words = wordsOf(record);
  return (
    <>
      <DashboardHead title="My bets" activeHref={routes.bets()} />
      {portfolio && tip && (
        <TookThisSection
          viewer={viewer}
          portfolioReference={portfolio}
          tipReference={tip}
          betCurrencyId={settings.betCurrencyId}
          oddsDisplay={oddsDisplay}
          timeZone={timeZone}
          now={now}
        />
      )}
      <section aria-labelledby="slip">
        <SectionHeading id="slip">Bet slip</SectionHeading>
        <BetSlipSection {...(toTake && { tip: toTake })} />
      </section>
      <section aria-labelledby="record">
        <SectionHeading id="record" aside={record.all > 0 && 'Only you see this'}>
          Recorded bets
        </SectionHeading>
        {record.all === 0 ? (
          <EmptyState
            icon={<Icon of={NotebookPen} size="large" />}
            title="You have not recorded any bets yet"
            action={<ButtonLink href={routes.fixtures()}>Find a fixture</ButtonLink>}
          >
            Add prices to your slip and record them here, or log the price you took on a tip. Your bets are settled by
            the same rules as tips, and only you see them.
          </EmptyState>
        ) : (
          <>
            <BetFilterForm filter={filter} record={record} />
            {record.statistics.tips > 0 && (
              <>
                <SummaryStats statistics={record.statistics} words={words} />
                <ProfitChart points={record.curve} timeZone={timeZone} words={words} />
                <MonthTable overview={record.months} words={words} />
              </>
            )}
            <SectionHeading
              level={3}
              id="bets"
              aside={
                <CsvDownload
                  call="GET /user/bets/export"
                  place={{ query: { ...choice, currency: record.currencyId } }}
                  file="tipledger-bets.csv"
                />
              }
            >
              {formatCount(page.count, 'bet', 'bets')}
            </SectionHeading>
            {page.items.length > 0 ? (
              <BetList bets={page.items} timeZone={timeZone} oddsDisplay={oddsDisplay} now={now.toISOString()} />
            ) : (
              <p>{page.count > 0 ? 'There are no earlier bets.' : 'No bets match this sport and period.'}</p>
            )}
            <Pager
              back={
                skip > 0 ? { href: routes.bets({ ...choice, skip: back || undefined }), title: 'Newer bets' } : null
              }
              on={
                page.next === null ? null : { href: routes.bets({ ...choice, skip: page.next }), title: 'Earlier bets' }
              }
            />
          </>
        )}
      </section>
    </>
  );
}
