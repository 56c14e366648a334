import { contentMetadata, type ContentPageProps, SectionPage } from '../../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = async ({ params }: ContentPageProps) =>
  contentMetadata('betting-scams', (await params).reference);

export default async function BettingScamPage({ params }: ContentPageProps) {
  return <SectionPage kind="betting-scams" reference={(await params).reference} />;
}
