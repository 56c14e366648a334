'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';
import { saveFile } from '../ui/save-file';
import { useAlive } from '../ui/use-alive';

type StaffExportProps = { list: string; query: Readonly<Record<string, string>> };

/** A staff list, as it is narrowed, as a file of CSV. */
export function StaffExport({ list, query }: StaffExportProps) {
  const isAlive = useAlive();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function take(): Promise<void> {
    setAsking(true);
    setProblem(null);
    try {
      const { apiStream } = await import('../state/api');
      const file = await new Response(await apiStream('GET /admin/lists/{list}', { params: { list }, query })).blob();
      saveFile(`${list}.csv`, file, 'text/csv');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Try again later.');
    } finally {
      setAsking(false);
    }
  }

  return (
    <>
      <Button look="secondary" size="small" disabled={isAsking || !isAlive} onClick={() => void take()}>
        Download as CSV
      </Button>
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
    </>
  );
}
