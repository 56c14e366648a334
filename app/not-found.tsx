import type { Metadata } from 'next';
import { MissingPage } from '@/components/shell/missing-page';
import { ShowMissing } from '@/components/shell/show-missing';
import { sideMenuEntries } from '@/components/shell/side-menu-entries';
import { pathOfAll } from '@/lib/http/markup';
import { missingPagePath } from '@/lib/http/worded-pages';
import { env } from '@/lib/platform/env';
import { sports } from '@/lib/reference/schema';
import { SiteFrame } from './_sections/site-frame';

export const metadata: Metadata = {
  title: 'Page not found · Tipledger',
  description: 'There is no page at this address. The home page and the pages of the sports lead on.',
  robots: { index: false },
};

const entries = sideMenuEntries(sports);

/** Every page carries this in its data. The whole of it is made at its own address only, which the server sends in the place of whatever is missing. */
export default function NotFound() {
  if (pathOfAll() !== missingPagePath && env().NODE_ENV === 'production') return <ShowMissing />;
  return (
    <SiteFrame of="/">
      <MissingPage links={entries} />
    </SiteFrame>
  );
}
