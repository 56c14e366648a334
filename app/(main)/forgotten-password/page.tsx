import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { codeTexts } from '@/components/account/code-texts';
import { ForgottenPasswordForm } from '@/components/account/forgotten-password-form';
import { NewPasswordForm } from '@/components/account/new-password-form';
import { FormMessage } from '@/components/ui/form-message';
import { SiteLink } from '@/components/ui/site-link';
import { verifyGuid } from '@/lib/accounts/commands';
import { verifyGuidSchema } from '@/lib/accounts/schema';
import { pageMetadata, single } from '@/lib/pages/page';
import { readFlash } from '@/lib/pages/page-viewer';
import { now as present } from '@/lib/platform/clock';
import { isFailure } from '@/lib/platform/errors';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type ForgottenPasswordPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const metadata: Metadata = pageMetadata({
  title: 'Forgotten password',
  description: 'Choose a new password with a code sent by e-mail.',
  path: routes.forgottenPassword(),
  index: false,
});

/** Why a mail's link is no longer good; null while it is. */
async function whyNotLink(guid: string): Promise<string | null> {
  const given = verifyGuidSchema.safeParse({ guid });
  if (!given.success) return 'This link is incomplete. Copy the whole link from the e-mail, or ask for a new one.';
  try {
    await verifyGuid(given.data.guid, present());
    return null;
  } catch (error) {
    if (isFailure(error, 'invalid')) return error.message;
    throw error;
  }
}

export default async function ForgottenPasswordPage({ searchParams }: ForgottenPasswordPageProps) {
  const parameters = await searchParams;
  const guid = single(parameters.guid);
  const why = guid ? await whyNotLink(guid) : null;
  const isChanging = single(parameters.sent) === '1' || (guid !== undefined && why === null);
  const kept = (await readFlash(isChanging ? '/account/change-password' : '/account/forgotten-password')) ?? undefined;
  if (isChanging) {
    return (
      <AccountCard
        title="Choose a new password"
        aside={<SiteLink href={routes.forgottenPassword()}>Ask for another code</SiteLink>}
      >
        {!guid && !kept && <FormMessage kind="success">{codeTexts.password('the address')}</FormMessage>}
        <NewPasswordForm {...(guid && { guid })} {...(kept && { kept })} />
      </AccountCard>
    );
  }
  return (
    <AccountCard
      title="Forgotten password"
      intro={<p>Enter the e-mail address of your account, and we will send you a code to choose a new password.</p>}
      aside={<SiteLink href={routes.login()}>Back to the login</SiteLink>}
    >
      {why && <FormMessage kind="error">{why}</FormMessage>}
      <ForgottenPasswordForm {...(kept && { kept })} />
    </AccountCard>
  );
}
