import type { Metadata } from 'next';
import { CrashedPage } from '@/components/shell/crashed-page';
import { shownEntries } from '@/components/shell/side-menu-entries';
import { SiteFrame } from '../_sections/site-frame';

export const metadata: Metadata = {
  title: 'Something went wrong · Tipledger',
  description: 'This page could not be made. The fault is ours; try again in a moment.',
  robots: { index: false },
};

/** What the server sends, under the address asked for, when making a page failed: readable without script. */
export default function ErrorPage() {
  return (
    <SiteFrame of="/">
      <CrashedPage links={shownEntries} />
    </SiteFrame>
  );
}
