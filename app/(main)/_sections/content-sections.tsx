import { ContentCard } from '@/components/content/content-card';
import { CardRow } from '@/components/ui/card-row';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import type { ContentSummary } from '@/lib/content/schema';
import { routes } from '@/lib/routes';

/** Spec §2.6, latest articles; nothing when there are none. */
export function LatestArticles({ articles }: { articles: readonly ContentSummary[] }) {
  if (articles.length === 0) return null;
  return (
    <section aria-labelledby="articles">
      <SectionHeading id="articles" aside={<SiteLink href={routes.section('articles')}>All articles</SiteLink>}>
        Latest articles
      </SectionHeading>
      <CardRow label="Latest articles">
        {articles.map((page) => (
          <li key={page.reference}>
            <ContentCard page={page} level={3} dated />
          </li>
        ))}
      </CardRow>
    </section>
  );
}
