import type { Metadata } from 'next';
import { BreakForm } from '@/components/account/break-form';
import { DashboardHead } from '@/components/account/dashboard-head';
import { DeleteAccount } from '@/components/account/delete-account';
import { ExportButton } from '@/components/account/export-button';
import { SessionList } from '@/components/account/session-list';
import { SettingsForm } from '@/components/account/settings-form';
import { SectionHeading } from '@/components/ui/section-heading';
import { SiteLink } from '@/components/ui/site-link';
import { listSessions } from '@/lib/accounts/queries';
import { listUnpaid } from '@/lib/money/queries';
import { getPause } from '@/lib/pauses/queries';
import { pageMetadata, type PageQuery } from '@/lib/pages/page';
import { timeZoneLabel } from '@/lib/reference/rules';
import { countries, timeZones } from '@/lib/reference/schema';
import { routes } from '@/lib/routes';
import { readMember } from '../_sections/read-member';
import styles from './page.module.scss';

export const dynamic = 'force-dynamic';

const path = routes.dashboard('settings');

export const metadata: Metadata = pageMetadata({
  title: 'Settings',
  description: 'Your settings, logins and data.',
  path,
  index: false,
});

const byName = countries
  .toSorted((one, other) => one.name.localeCompare(other.name, 'en-GB'))
  .map(({ id, name }) => ({ value: id, title: name }));

type SettingsPageProps = { searchParams: Promise<PageQuery> };

export default async function SettingsPage({ searchParams }: SettingsPageProps) {
  const { viewer, user, settings, now, timeZone } = await readMember(path, await searchParams);
  const [sessions, pause, unpaid] = [
    await listSessions(viewer, now),
    await getPause(viewer, now),
    await listUnpaid(viewer),
  ];
  return (
    <>
      <DashboardHead title="Settings" activeHref={path} />
      <noscript>
        <p>Turn on JavaScript to change your settings.</p>
      </noscript>
      <section aria-labelledby="how">
        <SectionHeading id="how" aside="Changes save automatically">
          Stakes, place and odds
        </SectionHeading>
        <SettingsForm
          settings={settings}
          countries={byName}
          zones={timeZones.map((zone) => ({ value: zone.id, title: timeZoneLabel(zone, now), name: zone.name }))}
        />
      </section>
      <section aria-labelledby="login">
        <SectionHeading id="login">Login</SectionHeading>
        <p className={styles.text}>
          Logged in as {user.username}
          {user.email && <> ({user.email})</>}.{' '}
          <SiteLink href={routes.forgottenPassword()}>Change your password</SiteLink> with a code sent by e-mail: this
          logs you out on every device.
        </p>
        <SessionList sessions={sessions} timeZone={timeZone} />
      </section>
      <section aria-labelledby="break">
        <SectionHeading id="break">A break from betting</SectionHeading>
        <BreakForm pause={pause} timeZone={timeZone} />
      </section>
      <section aria-labelledby="data">
        <SectionHeading id="data">Your data</SectionHeading>
        <p className={styles.text}>
          All the data we hold about you, in one JSON file. It contains links to your uploaded pictures: download those
          before you delete your account.
        </p>
        <ExportButton />
      </section>
      <section aria-labelledby="end">
        <SectionHeading id="end">Delete your account</SectionHeading>
        <DeleteAccount unpaid={unpaid} />
      </section>
    </>
  );
}
