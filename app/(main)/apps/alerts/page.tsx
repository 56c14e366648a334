import { contentMetadata, LonePage } from '../../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'apps-alerts');

export default function AlertsAppPage() {
  return <LonePage reference="apps-alerts" />;
}
