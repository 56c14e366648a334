import type { ReactNode } from 'react';
import { routes } from '@/lib/routes';
import type { HelpLine } from './footer';
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
    ],
  },
];
const help: HelpLine = { name: 'National Gambling Helpline', href: 'https://www.gamcare.org.uk/', telephone: '0808 8020 133' };

/** The frame of ordinary pages and of the error pages, which stand outside every layout. Nobody can sign in yet, so nothing offers it. */
export function MainFrame({ entries, children }: { entries: SideMenuEntry[]; children: ReactNode }) {
  return (
    <PageFrame entries={entries} footerLinks={footerLinks} help={help} account={false}>
      {children}
    </PageFrame>
  );
}
