'use client';

import { SiteLink } from '@/components/ui/site-link';
import { fontVariables } from './fonts';
import styles from './global-error.module.scss';
import './globals.scss';

/** Where even the frame failed: every page carries this, so it brings nothing along. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en-GB" className={fontVariables}>
      <body>
        <title>This page could not be made – Tipledger</title>
        <main className={styles.page}>
          <h1>This page could not be made</h1>
          <p>
            The fault is ours, not yours. {error.digest && `If you write to us, quote the reference ${error.digest}.`}
          </p>
          <button type="button" onClick={reset}>
            Try again
          </button>
          <p>
            18+ · <SiteLink href="/safer-gambling">Help with gambling</SiteLink>
          </p>
        </main>
      </body>
    </html>
  );
}
