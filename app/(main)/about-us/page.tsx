import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'about-us');

export default function AboutUsPage() {
  return <LonePage reference="about-us" />;
}
