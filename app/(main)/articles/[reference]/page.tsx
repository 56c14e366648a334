import { contentMetadata, type ContentPageProps, SectionPage } from '../../_sections/content-page';
import { SportKicker } from '../../_sections/sport-kicker';

export const dynamic = 'force-dynamic';

export const generateMetadata = async ({ params }: ContentPageProps) =>
  contentMetadata('articles', (await params).reference);

export default async function ArticlePage({ params }: ContentPageProps) {
  return (
    <SectionPage
      kind="articles"
      reference={(await params).reference}
      kicker={({ facts }) => <SportKicker reference={facts.sport} />}
    />
  );
}
