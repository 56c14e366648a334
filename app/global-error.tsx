'use client';

import { CrashedPage } from '@/components/shell/crashed-page';
import { MainFrame } from '@/components/shell/main-frame';
import { shownEntries } from '@/components/shell/side-menu-entries';
import { fontVariables } from './fonts';
import './globals.scss';

type GlobalErrorProps = { error: Error & { digest?: string }; reset: () => void };

export default function GlobalError({ error, reset }: GlobalErrorProps) {
  return (
    <html lang="en-GB" className={fontVariables}>
      <body>
        <title>This page could not be made – Tipledger</title>
        <MainFrame entries={shownEntries}>
          <CrashedPage digest={error.digest} onRetry={reset} />
        </MainFrame>
      </body>
    </html>
  );
}
