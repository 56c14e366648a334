import type { ReactNode } from 'react';
import { readHelp } from '../_sections/help';
import { SiteFrame } from '../_sections/site-frame';

export default async function AddTipsLayout({ children }: { children: ReactNode }) {
  return (
    <SiteFrame help={await readHelp()} of="/add-tips" title="Add tips">
      {children}
    </SiteFrame>
  );
}
