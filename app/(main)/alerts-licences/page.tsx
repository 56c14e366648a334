import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'alerts-licences');

export default function AlertsLicencesPage() {
  return <LonePage reference="alerts-licences" />;
}
