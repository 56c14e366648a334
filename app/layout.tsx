import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { Browser } from '@/components/state/browser';
import { browserConfig } from '@/lib/entry/browser-config';
import { fontVariables } from './fonts';
import './globals.scss';

export const metadata: Metadata = {
  title: 'Tipledger',
  description: 'Sports fixtures, bookmaker odds and betting tips whose record can be proved.',
  applicationName: 'Tipledger',
  icons: { icon: { url: '/icon.svg', type: 'image/svg+xml' }, apple: '/icons/apple-touch-icon.png' },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbf8f1' },
    { media: '(prefers-color-scheme: dark)', color: '#14171f' },
  ],
};

// 0040: a place is found again by its offset, which is the same only where all of the page is laid out.
const layOutWhole = "if(performance.getEntriesByType('navigation')[0]?.type!=='navigate')document.documentElement.dataset.whole=''";

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB" className={fontVariables} suppressHydrationWarning>
      <body>
        <script dangerouslySetInnerHTML={{ __html: layOutWhole }} />
        {children}
        <Browser config={browserConfig()} />
      </body>
    </html>
  );
}
