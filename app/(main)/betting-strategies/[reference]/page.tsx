import { contentMetadata, type ContentPageProps, SectionPage } from '../../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = async ({ params }: ContentPageProps) =>
  contentMetadata('betting-strategies', (await params).reference);

export default async function BettingStrategyPage({ params }: ContentPageProps) {
  return <SectionPage kind="betting-strategies" reference={(await params).reference} />;
}
