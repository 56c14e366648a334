import { routes } from '@/lib/routes';
import { Breadcrumb } from '../ui/breadcrumb';
import { LinkTabs } from '../ui/link-tabs';
import { DashboardInStep } from './dashboard-in-step';

type DashboardHeadProps = { title: string; activeHref: string };

const tabs = [
  { href: routes.dashboard(), title: 'Dashboard' },
  { href: routes.dashboard('watchlist'), title: 'Watchlist' },
  { href: routes.bets(), title: 'My bets' },
  { href: routes.autobets(), title: 'Autobets' },
  { href: routes.dashboard('services'), title: 'My portfolios' },
  { href: routes.dashboard('memberships'), title: 'Memberships' },
  { href: routes.dashboard('notifications'), title: 'Notifications' },
  { href: routes.dashboard('settings'), title: 'Settings' },
];

/** The head of every page of the dashboard and the way between them; the page's one h1. */
export function DashboardHead({ title, activeHref }: DashboardHeadProps) {
  return (
    <>
      <Breadcrumb trail={[{ href: routes.home(), title: 'Home' }]} here={title} />
      <h1>{title}</h1>
      <LinkTabs label="Account" tabs={tabs} activeHref={activeHref} />
      <DashboardInStep />
    </>
  );
}
