'use client';

import { CrashedPage } from '@/components/shell/crashed-page';
import { MainFrame } from '@/components/shell/main-frame';
import { shownEntries } from '@/components/shell/side-menu-entries';

type ErrorProps = { error: Error & { digest?: string }; reset: () => void };

export default function PageError({ error, reset }: ErrorProps) {
  return (
    <MainFrame entries={shownEntries}>
      <CrashedPage digest={error.digest} onRetry={reset} />
    </MainFrame>
  );
}
