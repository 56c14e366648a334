'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';

type BetExportProps = { query: Readonly<Record<string, string | number | undefined>> };

/** The bets that are meant, as a file of CSV. */
export function BetExport({ query }: BetExportProps) {
  const [state, setState] = useState<{ kind: 'idle' | 'asking' } | { kind: 'failed'; why: string }>({ kind: 'idle' });

  async function take(): Promise<void> {
    setState({ kind: 'asking' });
    try {
      const { apiStream } = await import('../state/api');
      const file = await new Response(await apiStream('GET /user/bets/export', { query })).blob();
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([file], { type: 'text/csv' }));
      link.download = 'tipledger-bets.csv';
      link.click();
      URL.revokeObjectURL(link.href);
      setState({ kind: 'idle' });
    } catch (error) {
      setState({ kind: 'failed', why: error instanceof Error ? error.message : 'Try again later.' });
    }
  }

  return (
    <>
      <Button look="secondary" size="small" disabled={state.kind === 'asking'} onClick={() => void take()}>
        {state.kind === 'asking' ? 'Preparing…' : 'Download as CSV'}
      </Button>
      {state.kind === 'failed' && <FormMessage kind="error">{state.why}</FormMessage>}
    </>
  );
}
