import { contentMetadata, LonePage } from '../../(main)/_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'pro');

export default function ProPage() {
  return <LonePage reference="pro" />;
}
