'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { saveFile } from '../ui/save-file';
import { useAlive } from '../ui/use-alive';

const fileName = 'tipledger-export.json';

/** Product §3: gives a member everything held on them as a file. */
export function ExportButton() {
  const isAlive = useAlive();
  const [state, setState] = useState<{ kind: 'idle' | 'asking' | 'done' } | { kind: 'failed'; why: string }>({
    kind: 'idle',
  });

  async function take(): Promise<void> {
    setState({ kind: 'asking' });
    try {
      const { api } = await import('../state/api');
      saveFile(fileName, JSON.stringify(await api('GET /user/export'), null, 2), 'application/json');
      setState({ kind: 'done' });
    } catch (error) {
      setState({ kind: 'failed', why: error instanceof Error ? error.message : 'Try again later.' });
    }
  }

  return (
    <>
      <Button look="secondary" disabled={state.kind === 'asking' || !isAlive} onClick={() => void take()}>
        {state.kind === 'asking' ? 'Preparing…' : 'Download your data'}
      </Button>
      {state.kind === 'done' && <FormMessage kind="success">The download of {fileName} has started.</FormMessage>}
      {state.kind === 'failed' && <FormMessage kind="error">{state.why}</FormMessage>}
    </>
  );
}
