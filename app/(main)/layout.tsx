import type { ReactNode } from 'react';
import { SiteFrame } from '../_sections/site-frame';

export default function MainLayout({ children }: { children: ReactNode }) {
  return <SiteFrame of="/">{children}</SiteFrame>;
}
