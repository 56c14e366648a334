import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'affiliates');

export default function AffiliatesPage() {
  return <LonePage reference="affiliates" />;
}
