import type { ReactNode } from 'react';
import { readHelp } from '../_sections/help';
import { SiteFrame } from '../_sections/site-frame';

export default async function MainLayout({ children }: { children: ReactNode }) {
  return (
    <SiteFrame help={await readHelp()} of="/">
      {children}
    </SiteFrame>
  );
}
