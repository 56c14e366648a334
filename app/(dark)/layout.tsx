import type { ReactNode } from 'react';
import { readHelp } from '../_sections/help';
import { SiteFrame } from '../_sections/site-frame';

export default async function DarkLayout({ children }: { children: ReactNode }) {
  return (
    <SiteFrame help={await readHelp()} of="/pro">
      {children}
    </SiteFrame>
  );
}
