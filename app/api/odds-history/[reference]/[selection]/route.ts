import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { getSelectionHistory } from '@/lib/fixtures/queries';
import { fixtureParamsSchema, oddsHistoryQuerySchema, selectionHistorySchema } from '@/lib/fixtures/schema';

export const GET = handle(
  {
    summary: 'Every price of one selection by bookmaker, in order of time, the closing ones marked',
    access: 'public',
    params: fixtureParamsSchema.extend({
      selection: z
        .string()
        .regex(/^[1-9]\d{0,9}$/, 'must be the id of a selection')
        .transform(Number),
    }),
    query: oddsHistoryQuerySchema,
    answers: selectionHistorySchema,
  },
  ({ viewer, params: { reference, selection }, query: { purpose }, now }) =>
    getSelectionHistory(viewer, { reference, selectionId: selection, purpose }, now),
);
