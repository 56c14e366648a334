import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { GoOnAsMember } from '@/components/account/go-on-as-member';
import { LoginForm } from '@/components/account/login-form';
import { SiteLink } from '@/components/ui/site-link';
import { safeRedirect } from '@/lib/access/rules';
import { pageMetadata, single } from '@/lib/pages/page';
import { readFlash } from '@/lib/pages/page-viewer';
import { routes } from '@/lib/routes';
import { followIntent } from '../../_sections/follow-intent';

export const dynamic = 'force-dynamic';

type LoginPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const metadata: Metadata = pageMetadata({
  title: 'Log in',
  description: 'Log in to follow tipsters and to keep your watchlist and settings.',
  path: routes.login(),
  index: false,
});

export default async function LoginPage({ searchParams }: LoginPageProps) {
  const { redirect_to, follow } = await searchParams;
  const redirectTo = safeRedirect(single(redirect_to)) ?? undefined;
  const intent = await followIntent(single(follow));
  const kept = (await readFlash('/auth/token')) ?? undefined;
  return (
    <AccountCard
      title="Log in"
      intro={intent && <p>Log in to follow {intent.name}.</p>}
      aside={
        <p>
          New here?{' '}
          <SiteLink href={routes.register({ redirect_to: redirectTo, follow: intent?.portfolioReference })}>
            Sign up
          </SiteLink>
        </p>
      }
    >
      <GoOnAsMember redirectTo={redirectTo ?? routes.dashboard()} />
      <LoginForm redirectTo={redirectTo} intent={intent} {...(kept && { kept })} />
    </AccountCard>
  );
}
