import { ContentCard } from '@/components/content/content-card';
import { CardRow } from '@/components/ui/card-row';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { listContent } from '@/lib/content/queries';
import { routes } from '@/lib/routes';

const latestArticles = 4;

/** Spec §2.6, latest articles; nothing when there are none. */
export async function LatestArticles() {
  const { items } = await listContent('articles', { skip: 0, limit: latestArticles });
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="articles">
      <SectionHeading id="articles" aside={<SiteLink href={routes.section('articles')}>All articles</SiteLink>}>
        Latest articles
      </SectionHeading>
      <CardRow label="Latest articles">
        {items.map((page) => (
          <li key={page.reference}>
            <ContentCard page={page} level={3} dated />
          </li>
        ))}
      </CardRow>
    </section>
  );
}
