import { ContentIndex, type ContentIndexProps, indexMetadata } from '../_sections/content-index';
import { SportKicker } from '../_sections/sport-kicker';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => indexMetadata('articles');

export default function ArticleIndexPage({ searchParams }: ContentIndexProps) {
  return (
    <ContentIndex
      kind="articles"
      searchParams={searchParams}
      dated
      more={({ facts }) => facts.sport && <SportKicker reference={facts.sport} />}
    />
  );
}
