import { handle } from '@/lib/api/handle';
import { getBreakdown } from '@/lib/stats/queries';
import { breakdownParamsSchema, breakdownViewSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary:
      'A breakdown of a portfolio over a time range: by bookmaker, bet type, hour, month, odds, sport, league, time before, or stake',
    access: 'public',
    params: breakdownParamsSchema,
    answers: breakdownViewSchema,
  },
  ({ viewer, params, now }) => getBreakdown(viewer, params.reference, { kind: params.kind, range: params.period }, now),
);
