import { ContactAddress } from '@/components/content/contact-address';
import { env } from '@/lib/platform/env';
import { contentMetadata, LonePage } from '../_sections/content-page';

export const dynamic = 'force-dynamic';

export const generateMetadata = () => contentMetadata('pages', 'contact-us');

export default function ContactUsPage() {
  return <LonePage reference="contact-us" before={<ContactAddress email={env().TIPLEDGER_CONTACT_EMAIL ?? null} />} />;
}
