import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { exportEarnings } from '@/lib/memberships/queries';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const GET = handle(
  {
    summary: 'Every posting of a portfolio of one’s own as CSV, in minor units',
    access: 'member',
    params: portfolioParamsSchema,
    answers: downloadOf(['text/csv']),
  },
  async ({ viewer, params }) =>
    new Download(
      { name: `earnings-${params.reference}.csv`, mediaType: 'text/csv' },
      await exportEarnings(viewer, params.reference),
    ),
);
