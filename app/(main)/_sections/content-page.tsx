import type { Metadata } from 'next';
import { cache, type ReactNode } from 'react';
import { AdSlot } from '@/components/ads/ad-slot';
import { ContentArticle } from '@/components/content/content-article';
import { ContentWays } from '@/components/content/content-ways';
import { JsonLd } from '@/components/content/json-ld';
import type { Crumb } from '@/components/ui/breadcrumb';
import { getContent } from '@/lib/content/queries';
import { articleData, breadcrumbData, renderArticle, type StructuredData, termData } from '@/lib/content/rules';
import { type ContentKind, type ContentView, type SectionKind, sections } from '@/lib/content/schema';
import { articleFeeds } from '@/lib/pages/feeds';
import { orNotFound, pageMetadata } from '@/lib/pages/page';
import { pageImage } from '@/lib/pages/share-cards';
import { contentWords } from '@/lib/pages/titles';
import { Markup } from '@/lib/pages/markup';
import { now as present } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { routes } from '@/lib/routes';

export type ContentPageProps = { params: Promise<{ reference: string }> };

const read = cache(
  (kind: ContentKind, reference: string): Promise<ContentView> => orNotFound(getContent(kind, reference)),
);

/** The page of a kind, read once a request; the 404 page when there is none of this reference. */
export function readContent<K extends ContentKind>(kind: K, reference: string): Promise<ContentView<K>> {
  return read(kind, reference) as Promise<ContentView<K>>;
}

const home = { href: routes.home(), title: 'Home' };

/** The metadata of a page of content, as an article with its days. */
export async function contentMetadata(kind: ContentKind, reference: string): Promise<Metadata> {
  const page = await readContent(kind, reference);
  const { publishedOn, updatedOn } = page;
  const facts = { ...contentWords(page), path: routes.content(kind, reference) };
  if (kind === 'pages') return pageMetadata(facts);
  const metadata = pageMetadata({
    ...facts,
    image: await pageImage(kind, reference, present()),
    ...(kind === 'articles' && { feeds: articleFeeds }),
  });
  return {
    ...metadata,
    openGraph: {
      ...metadata.openGraph,
      type: 'article',
      publishedTime: publishedOn,
      modifiedTime: updatedOn ?? publishedOn,
      section: sections[kind].title,
    },
  };
}

type SectionPageProps<K extends SectionKind> = {
  kind: K;
  reference: string;
  kicker?: (page: ContentView<K>) => ReactNode;
  before?: (page: ContentView<K>) => ReactNode;
  data?: (page: ContentView<K>, path: string) => StructuredData;
};

/** One page of a section: its text, the ways on, and what it says of itself to search engines. */
export async function SectionPage<K extends SectionKind>({
  kind,
  reference,
  kicker,
  before,
  data = (page, path) =>
    page.kind === 'betting-terms' ? termData(page, path, env().siteUrl) : articleData(page, path, env().siteUrl),
}: SectionPageProps<K>) {
  const page = await readContent(kind, reference);
  const path = routes.content(kind, reference);
  const trail: Crumb[] = [home, { href: routes.section(kind), title: sections[kind].title }];
  return (
    <Markup>
      <ContentArticle
        page={page}
        text={renderArticle(page.body)}
        trail={trail}
        kicker={kicker?.(page)}
        before={before?.(page)}
      >
        <ContentWays page={page} />
      </ContentArticle>
      <AdSlot name={kind} />
      <JsonLd data={[breadcrumbData([...trail, { href: path, title: page.title }], env().siteUrl), data(page, path)]} />
    </Markup>
  );
}

/** A page that stands alone, such as the privacy policy. */
export async function LonePage({
  reference,
  before,
  children,
}: {
  reference: string;
  before?: ReactNode;
  children?: ReactNode;
}) {
  const page = await readContent('pages', reference);
  const path = routes.content('pages', reference);
  return (
    <Markup>
      <ContentArticle page={page} text={renderArticle(page.body)} trail={[home]} before={before}>
        {children}
      </ContentArticle>
      <JsonLd data={[breadcrumbData([home, { href: path, title: page.title }], env().siteUrl)]} />
    </Markup>
  );
}
