import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { AccountCard } from '@/components/account/account-card';
import { SignOutButton } from '@/components/account/sign-out-button';
import { VerifyForm } from '@/components/account/verify-form';
import { SiteLink } from '@/components/ui/site-link';
import { safeRedirect } from '@/lib/access/rules';
import { getUser } from '@/lib/accounts/queries';
import { pageMetadata, single } from '@/lib/pages/page';
import { pageViewer, readFlash } from '@/lib/pages/page-viewer';
import { now as present } from '@/lib/platform/clock';
import { routes } from '@/lib/routes';

export const dynamic = 'force-dynamic';

type VerifyPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const metadata: Metadata = pageMetadata({
  title: 'Confirm your e-mail address',
  description: 'Enter the code we e-mailed you to confirm your address.',
  path: routes.verify(),
  index: false,
});

export default async function VerifyPage({ searchParams }: VerifyPageProps) {
  const parameters = await searchParams;
  const redirectTo = safeRedirect(single(parameters.redirect_after_verify)) ?? undefined;
  const viewer = await pageViewer();
  const user = viewer.kind === 'member' ? (await getUser(viewer, present())).user : null;
  if (user?.emailConfirmed) redirect(redirectTo ?? routes.dashboard());
  if (user?.email === null)
    return (
      <AccountCard
        title="This address is not yours any more"
        intro={
          <p>
            You did not confirm your e-mail address within a day, and somebody has signed up with it since. Log out,
            then log in to that account, or sign up with another address.
          </p>
        }
      >
        <SignOutButton look="primary" />
      </AccountCard>
    );
  const kept = (await readFlash('/account/verify-code')) ?? undefined;
  const keptAgain = (await readFlash('/account/resend-code')) ?? undefined;
  return (
    <AccountCard
      title="Confirm your address"
      intro={
        <p>
          We sent a six-digit code to {user?.email ? <strong>{user.email}</strong> : 'your e-mail address'}. Enter it
          here to use your account.
        </p>
      }
      aside={
        <>
          <p>
            No e-mail? Check your spam folder, or{' '}
            <SiteLink href={routes.content('pages', 'contact-us')}>write to us</SiteLink>.
          </p>
          {user ? <SignOutButton look="quiet" /> : <SiteLink href={routes.login()}>Log in</SiteLink>}
        </>
      }
    >
      <VerifyForm
        email={user?.email ?? null}
        redirectTo={redirectTo}
        isAskedAgain={single(parameters.sent) === '1' && !kept && !keptAgain}
        {...(kept && { kept })}
        {...(keptAgain && { keptAgain })}
      />
    </AccountCard>
  );
}
