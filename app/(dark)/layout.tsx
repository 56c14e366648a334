import type { ReactNode } from 'react';
import { SiteFrame } from '../_sections/site-frame';

export default function DarkLayout({ children }: { children: ReactNode }) {
  return <SiteFrame of="/pro">{children}</SiteFrame>;
}
