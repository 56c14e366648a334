'use client';

import type { Ask, CallName, Given, Place } from '@/lib/calls';
import { useState } from 'react';
import type { Sending } from '../state/api';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { saveFile } from '../ui/save-file';
import { useAlive } from '../ui/use-alive';

type CsvCall = Extract<CallName, `GET ${string}/export`>;

/** The answer of a call as a file of CSV, under this name. */
export function CsvDownload<N extends CsvCall>({ call, place, file }: { call: N; place: Place<N>; file: string }) {
  const isAlive = useAlive();
  const [state, setState] = useState<{ kind: 'idle' | 'asking' } | { kind: 'failed'; why: string }>({ kind: 'idle' });

  async function take(): Promise<void> {
    setState({ kind: 'asking' });
    try {
      const { apiStream } = await import('../state/api');
      const answer = await apiStream(call, ...([place] as unknown as Given<Ask<N> & Sending>));
      const rows = await new Response(answer).blob();
      saveFile(file, rows, 'text/csv');
      setState({ kind: 'idle' });
    } catch (error) {
      setState({ kind: 'failed', why: error instanceof Error ? error.message : 'Try again later.' });
    }
  }

  return (
    <>
      <Button look="secondary" size="small" disabled={state.kind === 'asking' || !isAlive} onClick={() => void take()}>
        {state.kind === 'asking' ? 'Preparing…' : 'Download as CSV'}
      </Button>
      {state.kind === 'failed' && <FormMessage kind="error">{state.why}</FormMessage>}
    </>
  );
}
