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
import { now as present } from '@/lib/platform/clock';
import { isFailure } from '@/lib/platform/errors';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type UnsubscribePageProps = { params: Promise<{ guid: string }> };

export const metadata: Metadata = pageMetadata({
  title: 'Unsubscribe',
  description: 'Choose which e-mails about a tipster you still get.',
  path: routes.unsubscribe(),
  index: false,
});

/** What the mail's link is about; null when no mail had it, and when its account is gone. */
async function findLink(guid: string): Promise<MailLink | null> {
  try {
    return await getMailLink(guid, present());
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
          title="This unsubscribe link is not valid"
          action={<ButtonLink href={routes.dashboard('notifications')}>Your notifications</ButtonLink>}
        >
          It was not in any of our e-mails, or the account was deleted.
        </EmptyState>
      </>
    );
  }
  const { portfolio } = link;
  return (
    <AccountCard
      title={portfolio ? `E-mails about ${portfolio.name}` : 'E-mails from Tipledger'}
      intro={<p>Stop what you do not want. You keep following the tipster, and you need not log in.</p>}
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
