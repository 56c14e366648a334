import { MailX } from 'lucide-react';
import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { UnsubscribeForm } from '@/components/account/unsubscribe-form';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { FormMessage } from '@/components/ui/form-message';
import { Icon } from '@/components/ui/icon';
import { SiteLink } from '@/components/ui/site-link';
import { getMailChoice } from '@/lib/accounts/queries';
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

/** What the mail's link is about; null when nothing that is followed has this guid any more. */
async function findMailChoice(guid: string): Promise<Awaited<ReturnType<typeof getMailChoice>> | null> {
  try {
    return await getMailChoice(guid);
  } catch (error) {
    if (isFailure(error, 'missing')) return null;
    throw error;
  }
}

export default async function UnsubscribePage({ params }: UnsubscribePageProps) {
  const { guid } = await params;
  const [choice, refused] = await Promise.all([
    findMailChoice(guid),
    readFlash('/user/guid/unsubscribe/{reference}/tips', '/user/guid/unsubscribe/{reference}/posts'),
  ]);
  if (!choice) {
    return (
      <>
        <h1>Unsubscribe</h1>
        <EmptyState
          icon={<Icon of={MailX} size="large" />}
          title="No mails come from this link any more"
          action={<ButtonLink href={routes.dashboard('watchlist')}>Whom you follow</ButtonLink>}
        >
          It belongs to a tipster whom you no longer follow. There is nothing left to stop.
        </EmptyState>
      </>
    );
  }
  return (
    <AccountCard
      title={`Mails about ${choice.name}`}
      intro={<p>Stop what you do not want. You go on following the tipster, and no login is needed.</p>}
      aside={<SiteLink href={routes.portfolio(choice.portfolioReference)}>See {choice.name}</SiteLink>}
    >
      {refused && <FormMessage kind="error">{refused.message}</FormMessage>}
      <UnsubscribeForm
        guid={guid}
        portfolioReference={choice.portfolioReference}
        kind="tips"
        isStopped={!choice.tips}
      />
      <UnsubscribeForm
        guid={guid}
        portfolioReference={choice.portfolioReference}
        kind="posts"
        isStopped={!choice.posts}
      />
    </AccountCard>
  );
}
