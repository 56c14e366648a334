import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { exportLedger } from '@/lib/record/queries';
import { ledgerExportQuerySchema, ledgerMediaTypes } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The whole record as a file that can be verified by itself',
    access: 'public',
    query: ledgerExportQuerySchema,
    answers: downloadOf(Object.values(ledgerMediaTypes)),
    limit: { hits: 120, windowSeconds: 600 },
  },
  async ({ viewer, query: { format } }) =>
    new Download(
      { name: `tipledger-record.${format}`, mediaType: ledgerMediaTypes[format] },
      await exportLedger(viewer, format),
    ),
);
