import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { ButtonLink } from '@/components/ui/button-link';
import { SiteLink } from '@/components/ui/site-link';
import { pageMetadata } from '@/lib/pages/page';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = pageMetadata({
  title: 'Unsubscribe',
  description: 'Where to stop the e-mails that Tipledger sends you, or get fewer of them.',
  path: routes.unsubscribe(),
  index: false,
});

/** Spec §2.3: the address without the guid of a mail: it says where that is found. */
export default function UnsubscribePage() {
  return (
    <AccountCard
      title="Unsubscribe"
      intro={
        <p>
          Each e-mail with news from us has its own link at the foot: “Unsubscribe or get fewer e-mails”. Open it from
          the e-mail. You need not log in.
        </p>
      }
      aside={
        <p>
          Cannot find the e-mail? <SiteLink href={routes.content('pages', 'contact-us')}>Write to us</SiteLink>.
        </p>
      }
    >
      <p>In your account you choose which e-mails you get.</p>
      <ButtonLink href={routes.dashboard('notifications')}>Your notifications</ButtonLink>
    </AccountCard>
  );
}
