import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { exportLedger } from '@/lib/record/queries';
import { ledgerExportQuerySchema, ledgerMediaTypes, portfolioLedgerParamsSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The record of a portfolio as a file that can be verified by itself',
    access: 'public',
    params: portfolioLedgerParamsSchema,
    query: ledgerExportQuerySchema,
    answers: downloadOf(Object.values(ledgerMediaTypes)),
    limit: { hits: 120, windowSeconds: 600 },
  },
  async ({ viewer, params: { reference }, query: { format } }) =>
    new Download(
      { name: `tipledger-record-${reference}.${format}`, mediaType: ledgerMediaTypes[format] },
      await exportLedger(viewer, format, reference),
    ),
);
