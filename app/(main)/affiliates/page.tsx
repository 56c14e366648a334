import { ButtonLink } from '@/components/ui/button-link';
import { routes } from '@/lib/routes';
import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'affiliates');

export default function AffiliatesPage() {
  return (
    <LonePage
      reference="affiliates"
      before={
        <p>
          <ButtonLink href={routes.affiliates('dashboard')}>Your link and your commissions</ButtonLink>
        </p>
      }
    />
  );
}
