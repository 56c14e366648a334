import { contentMetadata, type ContentPageProps, SectionPage } from '../../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = async ({ params }: ContentPageProps) =>
  contentMetadata('bet-types', (await params).reference);

export default async function BetTypePage({ params }: ContentPageProps) {
  return <SectionPage kind="bet-types" reference={(await params).reference} />;
}
