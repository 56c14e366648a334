import type { ComponentType, ReactNode } from 'react';
import { routes } from '@/lib/routes';
import { defaultHelpLine } from '@/lib/reference/schema';
import type { Shell } from '@/lib/route-table';
import type { FooterHelp } from '../ui/help-line';
import { PageFrame } from './page-frame';
import { shownEntries } from './side-menu-entries';
import type { SideMenuEntry } from './side-menu-entries';

const footerLinks = [
  { title: 'Sports', links: shownEntries.filter((entry) => entry.group === 'Sports') },
  {
    title: 'Tips',
    links: [
      { href: routes.tipsters(), title: 'Tipsters compared' },
      { href: routes.ledger(), title: 'The record' },
      { href: routes.fixtures(), title: 'Fixtures' },
      { href: '/tip-of-the-day', title: 'Tip of the day' },
      { href: '/pro', title: 'Tipledger Pro' },
    ],
  },
  { title: 'Reading', links: shownEntries.filter((entry) => entry.group === 'Reading') },
  {
    title: 'Tipledger',
    links: [
      { href: '/about-us', title: 'About us' },
      { href: '/contact-us', title: 'Contact us' },
      { href: '/safer-gambling', title: 'Safer gambling' },
      { href: '/apps/alerts', title: 'Get the app' },
      { href: '/affiliates', title: 'Affiliates' },
      { href: '/terms-and-conditions', title: 'Terms' },
      { href: '/tipster-terms-and-conditions', title: 'Terms for tipsters' },
      { href: '/privacy-policy', title: 'Privacy' },
      { href: '/licences', title: 'Licences' },
    ],
  },
];
const mainShell: Pick<Shell, 'header' | 'sidebar' | 'footer'> = { header: 'main', sidebar: 'main', footer: 'main' };

type MainFrameProps = {
  entries: SideMenuEntry[];
  path?: string | null;
  shell?: Pick<Shell, 'header' | 'sidebar' | 'footer'>;
  title?: string;
  help?: FooterHelp | null;
  search?: ReactNode;
  status?: ReactNode;
  account?: ReactNode;
  notice?: string;
  around?: ComponentType<{ children: ReactNode }>;
  children: ReactNode;
};

/** The frame of ordinary pages and of the error pages, which stand outside every layout. */
export function MainFrame({ shell = mainShell, help = defaultHelpLine, children, ...parts }: MainFrameProps) {
  return (
    <PageFrame shell={shell} footerLinks={footerLinks} help={help} {...parts}>
      {children}
    </PageFrame>
  );
}
