import { Search } from 'lucide-react';
import type { Metadata } from 'next';
import { TipsterCard } from '@/components/portfolios/tipster-card';
import { ResultList } from '@/components/search/result-list';
import { SearchForm } from '@/components/search/search-form';
import { Breadcrumb } from '@/components/ui/breadcrumb';
import { ButtonLink } from '@/components/ui/button-link';
import { CardRow } from '@/components/ui/card-row';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { LinkTabs } from '@/components/ui/link-tabs';
import { Pager } from '@/components/ui/pager';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { SportIcon } from '@/components/ui/sport-icon';
import { pageMetadata, single } from '@/lib/pages/page';
import { guest } from '@/lib/http/viewer';
import { defaultView } from '@/lib/pages/default-view';
import { formatCount } from '@/lib/format';
import { now as present } from '@/lib/platform/clock';
import { sports } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { search } from '@/lib/search/queries';
import { readQuestion } from '@/lib/search/rules';
import {
  type SearchAnswer,
  type SearchGroup,
  type SearchKind,
  searchKindNames,
  searchKinds,
} from '@/lib/search/schema';
import { listMostPopular } from '@/lib/stats/queries';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

type SearchPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

const hitsOfAKind = 6;
const hitsAPage = 25;
const mostPages = 40;
const mostTipsters = 4;
const enabled = sports.filter((sport) => sport.enabled).toSorted((a, b) => a.rank - b.rank);
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

async function readAsked(searchParams: SearchPageProps['searchParams']) {
  const { q, kind, page } = await searchParams;
  const number = Number(single(page));
  return {
    text: readQuestion(single(q) ?? '').text,
    kind: searchKinds.find((each) => each === single(kind)),
    page: Number.isInteger(number) && number >= 1 && number <= mostPages ? number : 1,
  };
}

export async function generateMetadata({ searchParams }: SearchPageProps): Promise<Metadata> {
  const { text } = await readAsked(searchParams);
  return pageMetadata({
    title: text === '' ? 'Search the site' : `Search for “${text}”`,
    description: 'Search sports, leagues, fixtures, tipsters and guides.',
    path: routes.search(),
    index: false,
  });
}

export default async function SearchPage({ searchParams }: SearchPageProps) {
  const asked = await readAsked(searchParams);
  const { text } = asked;
  const answer = text === '' ? null : await search(guest(), { text, limit: hitsOfAKind }, present());
  return (
    <>
      <Breadcrumb trail={[{ href: routes.home(), title: 'Home' }]} here="Search" />
      <h1>Search</h1>
      <SearchForm question={text} />
      {answer &&
        (answer.total > 0 ? (
          <Found answer={answer} kind={asked.kind} page={asked.page} />
        ) : (
          <NothingFound text={text} />
        ))}
      {(!answer || answer.total === 0) && <Browse />}
    </>
  );
}

async function Found({ answer, kind, page }: { answer: SearchAnswer; kind: SearchKind | undefined; page: number }) {
  const chosen = answer.groups.find((group) => group.kind === kind);
  const q = answer.query;
  const tabs = [
    { href: routes.search({ q }), title: 'Everything', count: answer.total },
    ...answer.groups.map(({ kind: each, count }) => ({
      href: routes.search({ q, kind: each }),
      title: capitalised(searchKindNames[each].many),
      count,
    })),
  ];
  return (
    <>
      {answer.matching !== 'all' && (
        <p className={styles.note} role="status">
          No results for “{q}”.{' '}
          {answer.matching === 'similar'
            ? 'Showing results with similar spelling.'
            : `Showing “${answer.terms.join(' ')}”.`}
        </p>
      )}
      <LinkTabs
        label="Kinds of results"
        look="segments"
        tabs={tabs}
        activeHref={routes.search({ q, kind: chosen?.kind })}
      />
      {chosen ? (
        <OneKind answer={answer} group={chosen} page={page} />
      ) : (
        answer.groups.map((group) => <Group key={group.kind} answer={answer} group={group} />)
      )}
    </>
  );
}

function Group({ answer, group: { kind, count, hits } }: { answer: SearchAnswer; group: SearchGroup }) {
  const { one, many } = searchKindNames[kind];
  return (
    <section aria-labelledby={kind}>
      <SectionHeading
        id={kind}
        aside={
          count > hits.length ? (
            <SiteLink href={routes.search({ q: answer.query, kind })}>All {formatCount(count, one, many)}</SiteLink>
          ) : (
            formatCount(count, one, many)
          )
        }
      >
        {capitalised(many)}
      </SectionHeading>
      <ResultList label={capitalised(many)} hits={hits} terms={answer.terms} timeZone={defaultView.timeZone} />
    </section>
  );
}

async function OneKind({
  answer,
  group: { kind, count },
  page,
}: {
  answer: SearchAnswer;
  group: SearchGroup;
  page: number;
}) {
  const { one, many } = searchKindNames[kind];
  const q = answer.query;
  const { groups } = await search(
    guest(),
    { text: q, kind, limit: hitsAPage, skip: (page - 1) * hitsAPage },
    present(),
  );
  const hits = groups[0]?.hits ?? [];
  const pageHref = (number: number) => routes.search({ q, kind, page: number > 1 ? number : undefined });
  const isLast = page * hitsAPage >= count || page === mostPages;
  return (
    <section aria-labelledby={kind}>
      <SectionHeading id={kind} aside={formatCount(count, one, many)}>
        {capitalised(many)}
      </SectionHeading>
      {hits.length > 0 ? (
        <ResultList label={capitalised(many)} hits={hits} terms={answer.terms} timeZone={defaultView.timeZone} />
      ) : (
        <p className={styles.note}>No more results.</p>
      )}
      <Pager
        back={page > 1 ? { href: pageHref(page - 1), title: 'Previous page' } : null}
        on={isLast ? null : { href: pageHref(page + 1), title: 'Next page' }}
      />
    </section>
  );
}

function NothingFound({ text }: { text: string }) {
  const { words } = readQuestion(text);
  return (
    <section aria-labelledby="none">
      <SectionHeading id="none">Nothing found</SectionHeading>
      <EmptyState
        icon={<Icon of={Search} size="large" />}
        title={`No results for “${text}”`}
        action={<ButtonLink href={routes.tipsters()}>Compare tipsters</ButtonLink>}
      >
        <p>
          Try the name of a team, league, sport or tipster, or fewer words. Fixtures are found until a month after their
          start.
        </p>
        {words.length > 1 && (
          <p>
            Search each word separately:{' '}
            {words.map((word, index) => (
              <span key={word}>
                {index > 0 && ', '}
                <SiteLink href={routes.search({ q: word })}>{word}</SiteLink>
              </span>
            ))}
          </p>
        )}
      </EmptyState>
    </section>
  );
}

async function Browse() {
  const tipsters = (await listMostPopular(guest())).slice(0, mostTipsters);
  return (
    <>
      <section aria-labelledby="sports">
        <SectionHeading id="sports" aside={<SiteLink href={routes.fixtures()}>All fixtures</SiteLink>}>
          Sports
        </SectionHeading>
        <ul className={styles.sports}>
          {enabled.map(({ reference, name, imageUrl }) => (
            <li key={reference}>
              <SiteLink href={routes.sport(reference)}>
                <SportIcon src={imageUrl} />
                {name}
              </SiteLink>
            </li>
          ))}
        </ul>
      </section>
      {tipsters.length > 0 && (
        <section aria-labelledby="tipsters">
          <SectionHeading id="tipsters" aside={<SiteLink href={routes.tipsters()}>All tipsters</SiteLink>}>
            Most followed tipsters
          </SectionHeading>
          <CardRow label="Most followed tipsters">
            {tipsters.map((portfolio) => (
              <li key={portfolio.id}>
                <TipsterCard portfolio={portfolio} />
              </li>
            ))}
          </CardRow>
        </section>
      )}
    </>
  );
}
