import type { Metadata } from 'next';
import { AccountCard } from '@/components/account/account-card';
import { RegisterForm } from '@/components/account/register-form';
import { SiteLink } from '@/components/ui/site-link';
import { safeRedirect } from '@/lib/access/rules';
import { isPlain, pageMetadata, single } from '@/lib/pages/page';
import { readFlash } from '@/lib/pages/page-viewer';
import { now as present } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { timeZoneLabel } from '@/lib/reference/rules';
import { countries, defaultCountry, defaultTimeZone, timeZones } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { followIntent } from '../../_sections/follow-intent';

export const dynamic = 'force-dynamic';

type RegisterPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata({ searchParams }: RegisterPageProps): Promise<Metadata> {
  return pageMetadata({
    title: 'Sign up free',
    description: 'Open an account to follow tipsters, keep a watchlist and see times and odds your way.',
    path: routes.register(),
    index: isPlain(await searchParams),
  });
}

const byName = countries
  .toSorted((one, other) => one.name.localeCompare(other.name, 'en-GB'))
  .map(({ iso2, name }) => ({ value: iso2, title: name }));

export default async function RegisterPage({ searchParams }: RegisterPageProps) {
  const { redirect_to, follow } = await searchParams;
  const redirectTo = safeRedirect(single(redirect_to)) ?? undefined;
  const intent = await followIntent(single(follow));
  const kept = (await readFlash('/account/register')) ?? undefined;
  const now = present();
  return (
    <AccountCard
      title="Sign up"
      intro={
        <p>
          {intent ? `Sign up to follow ${intent.name}.` : 'Follow tipsters, keep a watchlist and record your own bets.'}{' '}
          It costs nothing.
        </p>
      }
      aside={
        <p>
          Already have an account?{' '}
          <SiteLink href={routes.login({ redirect_to: redirectTo, follow: intent?.portfolioReference })}>
            Log in
          </SiteLink>
        </p>
      }
    >
      <RegisterForm
        countries={byName}
        zones={timeZones}
        zoneChoices={timeZones.map((zone) => ({ value: zone.id, title: timeZoneLabel(zone, now) }))}
        place={{ location: defaultCountry.iso2, timezoneId: String(defaultTimeZone.id) }}
        redirectTo={redirectTo}
        intent={intent}
        canLocate={env().TIPLEDGER_GEOCODER !== undefined}
        {...(kept && { kept })}
      />
    </AccountCard>
  );
}
