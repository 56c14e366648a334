import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { StartIslands } from '@/components/start/start-islands';
import { browserConfigId } from '@/components/state/browser-config';
import { browserConfig } from '@/lib/http/browser-config';
import { beforePaint } from '@/lib/http/own-scripts';
import { defaultCountry } from '@/lib/reference/schema';
import { fontVariables } from './fonts';
import './globals.scss';

export const metadata: Metadata = {
  title: 'Tipledger',
  description: 'Sports fixtures, bookmaker odds and betting tips whose record can be verified.',
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

// 0049: what is made for a request tells its own scripts from all others, which a page of the build could not.
export const dynamic = 'force-dynamic';

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-GB" className={fontVariables} data-country={defaultCountry.id} suppressHydrationWarning>
      <body>
        <script dangerouslySetInnerHTML={{ __html: beforePaint }} />
        {children}
        <script
          id={browserConfigId}
          type="application/json"
          dangerouslySetInnerHTML={{ __html: JSON.stringify(browserConfig()).replaceAll('<', '\\u003c') }}
        />
        <StartIslands />
      </body>
    </html>
  );
}
