import { MailX } from 'lucide-react';
import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { UnsubscribeChoices } from '@/components/account/unsubscribe-form';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { FormMessage } from '@/components/ui/form-message';
import { Icon } from '@/components/ui/icon';
import { SiteLink } from '@/components/ui/site-link';
import { getMailLink } from '@/lib/notifications/queries';
import type { MailLink } from '@/lib/notifications/schema';
import { pageMetadata } from '@/lib/pages/page';
import { readFlash } from '@/lib/pages/page-viewer';
import { isFailure } from '@/lib/platform/errors';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type UnsubscribePageProps = { params: Promise<{ guid: string }> };

export const metadata: Metadata = pageMetadata({
  title: 'Unsubscribe',
  description: 'Choose which mails about a tipster still come.',
  path: '/unsubscribe',
  index: false,
});

/** What the mail's link is about; null when no mail had it, and when its account is gone. */
async function findLink(guid: string): Promise<MailLink | null> {
  try {
    return await getMailLink(guid);
  } catch (error) {
    if (isFailure(error, 'missing')) return null;
    throw error;
  }
}

export default async function UnsubscribePage({ params }: UnsubscribePageProps) {
  const { guid } = await params;
  const [link, refused] = await Promise.all([findLink(guid), readFlash('/unsubscribe/{guid}')]);
  if (!link) {
    return (
      <>
        <h1>Unsubscribe</h1>
        <EmptyState
          icon={<Icon of={MailX} size="large" />}
          title="No mails come from this link any more"
          action={<ButtonLink href={routes.dashboard('notifications')}>Your notifications</ButtonLink>}
        >
          No mail had this link, or its account is gone. There is nothing left to stop.
        </EmptyState>
      </>
    );
  }
  const { portfolio } = link;
  return (
    <AccountCard
      title={portfolio ? `Mails about ${portfolio.name}` : 'Mails from Tipledger'}
      intro={<p>Stop what you do not want. You go on following the tipster, and no login is needed.</p>}
      aside={
        portfolio ? (
          <SiteLink href={routes.portfolio(portfolio.reference)}>See {portfolio.name}</SiteLink>
        ) : (
          <SiteLink href={routes.dashboard('notifications')}>All your notifications</SiteLink>
        )
      }
    >
      {refused && <FormMessage kind="error">{refused.message}</FormMessage>}
      <UnsubscribeChoices guid={guid} link={link} />
    </AccountCard>
  );
}
