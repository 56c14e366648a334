import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'licences');

export default function LicencesPage() {
  return <LonePage reference="licences" />;
}
