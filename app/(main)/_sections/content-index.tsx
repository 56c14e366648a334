import { BookOpen } from 'lucide-react';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AdSlot } from '@/components/ads/ad-slot';
import { ContentCard } from '@/components/content/content-card';
import { ContentCards } from '@/components/content/content-cards';
import { FeedLinks } from '@/components/content/feed-links';
import { JsonLd } from '@/components/content/json-ld';
import { SectionLead } from '@/components/content/section-lead';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Pager } from '@/components/ui/pager';
import { listContent } from '@/lib/content/queries';
import { breadcrumbData } from '@/lib/content/rules';
import { type ContentList, type ContentSummary, type SectionKind, sections } from '@/lib/content/schema';
import { articleFeeds, dailyTipFeeds } from '@/lib/pages/feeds';
import { type PageFeed, pageMetadata } from '@/lib/pages/page';
import { sectionWords } from '@/lib/pages/titles';
import { skipFrom } from '@/lib/pages/portfolio-page';
import { Markup } from '@/lib/pages/markup';
import { env } from '@/lib/platform/env';
import { routes } from '@/lib/routes';

const sectionFeeds: Partial<Record<SectionKind, readonly PageFeed[]>> = {
  articles: articleFeeds,
  'tip-of-the-day': dailyTipFeeds,
};

export type ContentIndexProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The metadata of a section's index. */
export function indexMetadata(kind: SectionKind): Metadata {
  return pageMetadata({ ...sectionWords(kind), path: routes.section(kind), feeds: sectionFeeds[kind] ?? [] });
}

/** The end of a section's index: a place for advertising, and what the page says to search engines of where it stands. */
export function IndexEnd({ kind }: { kind: SectionKind }) {
  return (
    <>
      <AdSlot name={kind} />
      {sectionFeeds[kind] && <FeedLinks feeds={sectionFeeds[kind]} />}
      <JsonLd
        data={[
          breadcrumbData(
            [
              { href: routes.home(), title: 'Home' },
              { href: routes.section(kind), title: sections[kind].title },
            ],
            env().siteUrl,
          ),
        ]}
      />
    </>
  );
}

type ContentListingProps<K extends SectionKind> = {
  kind: K;
  skip: number;
  list: ContentList<K>;
  level?: 2 | 3;
  dated?: boolean;
  more?: (page: ContentSummary<K>) => ReactNode;
};

/** The pages of a section as cards, a part at a time. */
export function ContentListing<K extends SectionKind>({
  kind,
  skip,
  list: { items, next },
  level = 2,
  dated = false,
  more,
}: ContentListingProps<K>) {
  const here = routes.section(kind);
  const { many, title } = sections[kind];
  if (items.length === 0) {
    return (
      <EmptyState
        icon={<Icon of={BookOpen} size="large" />}
        title={skip > 0 ? `There are no more ${many}` : `No ${many} have been published yet`}
      >
        {skip > 0 ? <a href={here}>Back to the first page of {title}</a> : 'What is published appears here at once.'}
      </EmptyState>
    );
  }
  return (
    <>
      <ContentCards>
        {items.map((page) => (
          <li key={page.reference}>
            <ContentCard page={page} level={level} dated={dated}>
              {more?.(page)}
            </ContentCard>
          </li>
        ))}
      </ContentCards>
      <Pager
        back={skip > 0 ? { href: here, title: 'First page' } : null}
        on={next === null ? null : { href: routes.section(kind, { skip: next }), title: 'Next page' }}
      />
    </>
  );
}

/** The index of a section: its head and its pages as cards. */
export async function ContentIndex<K extends SectionKind>({
  kind,
  searchParams,
  dated,
  more,
}: ContentIndexProps & Omit<ContentListingProps<K>, 'skip' | 'list' | 'level'>) {
  const { title, lead } = sections[kind];
  const skip = skipFrom((await searchParams).skip);
  const list = await listContent(kind, { skip });
  return (
    <Markup>
      <SectionLead title={title}>{lead}</SectionLead>
      <ContentListing kind={kind} skip={skip} list={list} dated={dated} more={more} />
      <IndexEnd kind={kind} />
    </Markup>
  );
}
