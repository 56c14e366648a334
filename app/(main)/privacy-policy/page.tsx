import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'privacy-policy');

export default function PrivacyPolicyPage() {
  return <LonePage reference="privacy-policy" />;
}
