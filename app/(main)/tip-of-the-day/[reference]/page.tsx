import { contentMetadata, type ContentPageProps, SectionPage } from '../../_sections/content-page';
import { SportKicker } from '../../_sections/sport-kicker';

export const dynamic = 'force-dynamic';

export const generateMetadata = async ({ params }: ContentPageProps) =>
  contentMetadata('tip-of-the-day', (await params).reference);

export default async function TipOfTheDayPage({ params }: ContentPageProps) {
  return (
    <SectionPage
      kind="tip-of-the-day"
      reference={(await params).reference}
      kicker={({ facts }) => <SportKicker reference={facts.sport} />}
    />
  );
}
