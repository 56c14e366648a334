'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';

const fileName = 'tipledger-export.json';

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

/** Product §3: gives a member everything held on them as a file. */
export function ExportButton() {
  const [state, setState] = useState<{ kind: 'idle' | 'asking' | 'done' } | { kind: 'failed'; why: string }>({
    kind: 'idle',
  });

  async function take(): Promise<void> {
    setState({ kind: 'asking' });
    try {
      const { api } = await import('../state/api');
      save(JSON.stringify(await api('GET /user/export'), null, 2));
      setState({ kind: 'done' });
    } catch (error) {
      setState({ kind: 'failed', why: error instanceof Error ? error.message : 'Try again later.' });
    }
  }

  return (
    <>
      <Button look="secondary" disabled={state.kind === 'asking'} onClick={() => void take()}>
        {state.kind === 'asking' ? 'Preparing…' : 'Download your data'}
      </Button>
      {state.kind === 'done' && <FormMessage kind="success">The download of {fileName} has started.</FormMessage>}
      {state.kind === 'failed' && <FormMessage kind="error">{state.why}</FormMessage>}
    </>
  );
}
