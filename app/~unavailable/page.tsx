import type { Metadata } from 'next';
import { shownEntries } from '@/components/shell/side-menu-entries';
import { UnavailablePage } from '@/components/shell/unavailable-page';
import { SiteFrame } from '../_sections/site-frame';

export const metadata: Metadata = {
  title: 'Back in a moment · Tipledger',
  description: 'The site cannot reach its database at the moment. Try again in a few seconds.',
  robots: { index: false },
};

/** What the server sends, under the address asked for, while the database does not answer: readable without script. */
export default function Unavailable() {
  return (
    <SiteFrame of="/">
      <UnavailablePage links={shownEntries} />
    </SiteFrame>
  );
}
