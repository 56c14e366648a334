import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'tipster-terms-and-conditions');

export default function TipsterTermsPage() {
  return <LonePage reference="tipster-terms-and-conditions" />;
}
