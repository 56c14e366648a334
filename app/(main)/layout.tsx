import type { ReactNode } from 'react';
import { activePath } from '../_sections/active-path';
import { readHelp } from '../_sections/help';
import { SiteFrame } from '../_sections/site-frame';

export default async function MainLayout({ children }: { children: ReactNode }) {
  const [help, path] = await Promise.all([readHelp(), activePath()]);
  return (
    <SiteFrame help={help} path={path} of="/">
      {children}
    </SiteFrame>
  );
}
