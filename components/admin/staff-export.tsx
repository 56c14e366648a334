'use client';

import { useState } from 'react';
import { Button } from '../ui/button';
import { FormMessage } from '../ui/form-message';

type StaffExportProps = { list: string; query: Readonly<Record<string, string>> };

/** A staff list, as it is narrowed, as a file of CSV. */
export function StaffExport({ list, query }: StaffExportProps) {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function take(): Promise<void> {
    setAsking(true);
    setProblem(null);
    try {
      const { apiStream } = await import('../state/api');
      const file = await new Response(await apiStream('GET /admin/lists/{list}', { params: { list }, query })).blob();
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([file], { type: 'text/csv' }));
      link.download = `${list}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'Try again later.');
    } finally {
      setAsking(false);
    }
  }

  return (
    <>
      <Button look="secondary" size="small" disabled={isAsking} onClick={() => void take()}>
        Download as CSV
      </Button>
      {problem && <FormMessage kind="error">{problem}</FormMessage>}
    </>
  );
}
