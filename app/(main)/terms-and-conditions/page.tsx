import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'terms-and-conditions');

export default function TermsPage() {
  return <LonePage reference="terms-and-conditions" />;
}
