import type { ReactNode } from 'react';
import { SiteFrame } from '../_sections/site-frame';

export default function AddTipsLayout({ children }: { children: ReactNode }) {
  return (
    <SiteFrame of="/add-tips" title="Add tips">
      {children}
    </SiteFrame>
  );
}
