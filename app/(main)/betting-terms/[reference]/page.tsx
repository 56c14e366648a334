import { contentMetadata, type ContentPageProps, SectionPage } from '../../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = async ({ params }: ContentPageProps) =>
  contentMetadata('betting-terms', (await params).reference);

export default async function BettingTermPage({ params }: ContentPageProps) {
  return <SectionPage kind="betting-terms" reference={(await params).reference} />;
}
