import type { Metadata } from 'next';
import { MissingPage } from '@/components/shell/missing-page';
import { sideMenuEntries } from '@/components/shell/side-menu-entries';
import { sports } from '@/lib/reference/schema';
import { SiteFrame } from './_sections/site-frame';

export const metadata: Metadata = {
  title: 'Page not found · Tipledger',
  description: 'There is no page at this address. The home page and the pages of the sports lead on.',
  robots: { index: false },
};

const entries = sideMenuEntries(sports);

export default function NotFound() {
  return (
    <SiteFrame of="/">
      <MissingPage links={entries} />
    </SiteFrame>
  );
}
