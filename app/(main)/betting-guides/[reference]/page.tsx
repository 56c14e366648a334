import { contentMetadata, type ContentPageProps, SectionPage } from '../../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = async ({ params }: ContentPageProps) =>
  contentMetadata('betting-guides', (await params).reference);

export default async function BettingGuidePage({ params }: ContentPageProps) {
  return <SectionPage kind="betting-guides" reference={(await params).reference} />;
}
