import { Users } from 'lucide-react';
import type { Metadata } from 'next';
import { cache } from 'react';
import { AdSlot } from '@/components/ads/ad-slot';
import { ComparedTable } from '@/components/portfolios/compared-table';
import { PeriodTabs } from '@/components/portfolios/period-tabs';
import { ComparedChart } from '@/components/stats/compared-chart';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { FormMessage } from '@/components/ui/form-message';
import { Icon } from '@/components/ui/icon';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { Term } from '@/components/ui/term';
import { formatCount, formatPercent } from '@/lib/format';
import { guest } from '@/lib/http/viewer';
import { orNotFound, pageMetadata, single } from '@/lib/pages/page';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { getSideBySide, listMostPopular } from '@/lib/stats/queries';
import { readCompared } from '@/lib/stats/rules';
import { mostCompared, type SideBySide } from '@/lib/stats/schema';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type ComparePageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

type Asked = { references: string[]; leftOut: number; range: TimeRange };

const listed = new Intl.ListFormat('en-GB');

async function askedBy(searchParams: ComparePageProps['searchParams']): Promise<Asked> {
  const given = await searchParams;
  const all = readCompared(given.with);
  const range = Object.values(TimeRange).find((each) => String(each) === single(given.period)) ?? TimeRange.year;
  return { references: all.slice(0, mostCompared), leftOut: Math.max(0, all.length - mostCompared), range };
}

const read = cache(
  (references: string, range: TimeRange): Promise<SideBySide> =>
    orNotFound(getSideBySide(guest(), readCompared(references), { range }, present())),
);

export async function generateMetadata({ searchParams }: ComparePageProps): Promise<Metadata> {
  const { references, range } = await askedBy(searchParams);
  const names = references.length > 0 ? (await read(references.join(), range)).portfolios.map(({ name }) => name) : [];
  return pageMetadata({
    title: names.length > 1 ? `${names.join(' v ')}: tipsters side by side` : 'Tipsters side by side',
    description:
      names.length > 1
        ? `${listed.format(names)} side by side: profit, yield, drawdown, combined profit and the tips that they share.`
        : 'Two to four tipsters side by side: their profit on one chart, the main figures, combined profit and shared tips.',
    path: routes.compareTipsters(references.toSorted()),
    // Of every choice there is a page.
    index: references.length === 0,
  });
}

export default async function ComparePage({ searchParams }: ComparePageProps) {
  const { references, leftOut, range } = await askedBy(searchParams);
  const [compared, popular] = await Promise.all([
    references.length > 0 ? read(references.join(), range) : null,
    references.length < mostCompared ? listMostPopular(guest()) : [],
  ]);
  const time = timeRangeNames[range].toLowerCase();
  const hrefOf = (chosen: readonly string[], period: TimeRange | undefined = range) =>
    routes.compareTipsters(chosen, { period: period === TimeRange.year ? undefined : period });
  const others = popular.filter(({ reference }) => !references.includes(reference));
  return (
    <Markup>
      <Breadcrumb
        trail={[
          { href: routes.home(), title: 'Home' },
          { href: routes.tipsters(), title: 'Tipsters' },
        ]}
        here="Side by side"
      />
      <h1>
        {compared && references.length > 1
          ? compared.portfolios.map(({ name }) => name).join(' v ')
          : 'Tipsters side by side'}
      </h1>
      {leftOut > 0 && (
        <FormMessage kind="error">
          You can compare {mostCompared} tipsters at most. These are the first {mostCompared} that you ticked; remove
          one to add another.
        </FormMessage>
      )}
      {compared && (
        <section aria-labelledby="record">
          <SectionHeading
            id="record"
            aside={<PeriodTabs period={range} home={TimeRange.year} hrefOf={(period) => hrefOf(references, period)} />}
          >
            At advised stakes, {time}
          </SectionHeading>
          <ComparedChart
            days={compared.days}
            lines={compared.portfolios}
            combined={{ name: 'Combined', course: compared.combined.course }}
          />
          <ComparedTable
            portfolios={compared.portfolios}
            combined={compared.combined}
            withoutHref={(reference) => hrefOf(references.filter((other) => other !== reference))}
          />
          <p className={styles.note}>
            Combined is the record of someone who backed every tip from all of them. Its{' '}
            <Term of="maximum-drawdown">drawdown</Term> is measured between end-of-day balances.
          </p>
        </section>
      )}
      {compared && references.length > 1 && (
        <section aria-labelledby="overlap">
          <SectionHeading id="overlap" aside={`Settled tips, ${time}`}>
            Tips in common
          </SectionHeading>
          <ul className={styles.overlaps}>
            {compared.overlaps.map(({ places, shared }) => (
              <li key={places.join()}>
                <Overlap compared={compared} places={places} shared={shared} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {references.length === 0 && (
        <EmptyState
          icon={<Icon of={Users} size="large" />}
          title="Choose two to four tipsters"
          action={<ButtonLink href={routes.tipsters()}>Choose in the comparison</ButtonLink>}
        >
          Tick them in the comparison, or begin with one of the most followed below.
        </EmptyState>
      )}
      {others.length > 0 && (
        <section aria-labelledby="more">
          <SectionHeading id="more" aside={<SiteLink href={routes.tipsters()}>All tipsters</SiteLink>}>
            {references.length === 1 ? 'Choose at least one more' : 'Add a tipster'}
          </SectionHeading>
          <ul className={styles.others}>
            {others.map(({ reference, name }) => (
              <li key={reference}>
                <ButtonLink look="secondary" size="small" href={hrefOf([...references, reference])}>
                  {name}
                </ButtonLink>
              </li>
            ))}
          </ul>
        </section>
      )}
      <AdSlot name="tipsters" />
    </Markup>
  );
}

type OverlapProps = { compared: SideBySide; places: [number, number]; shared: number };

function Overlap({ compared: { portfolios, selections }, places, shared }: OverlapProps) {
  const [one, other] = places.map((place) => ({ name: portfolios[place]?.name, of: selections[place] ?? 0 }));
  const names = `${one?.name} and ${other?.name}`;
  if (shared === 0) return <>{names} have no selections in common.</>;
  const share = ({ name, of }: { name: string | undefined; of: number }) =>
    `${formatPercent((100 * shared) / of)} of ${name}’s ${formatCount(of, 'selection', 'selections')}`;
  return (
    <>
      {names} both backed {formatCount(shared, 'selection', 'selections')}: {one && share(one)} and{' '}
      {other && share(other)}.
    </>
  );
}
