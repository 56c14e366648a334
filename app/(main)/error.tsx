'use client';

import { CrashedPage } from '@/components/shell/crashed-page';

type ErrorProps = { error: Error & { digest?: string }; reset: () => void };

/** What stands in the place of a page that failed in the browser, in the frame of the others. */
export default function PageError({ error, reset }: ErrorProps) {
  return <CrashedPage digest={error.digest} onRetry={reset} />;
}
