import { Download, downloadOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { exportPortfolioProofs } from '@/lib/record/queries';
import { logMediaTypes, portfolioProofParamsSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The proofs of every entry of a portfolio, one after another (c2sp.org/tlog-proof)',
    access: 'public',
    params: portfolioProofParamsSchema,
    answers: downloadOf([logMediaTypes.proof]),
    limit: { hits: 120, windowSeconds: 600 },
  },
  async ({ viewer, params: { reference } }) =>
    new Download(
      { name: `tipledger-record-${reference}.tlog-proofs`, mediaType: logMediaTypes.proof },
      await exportPortfolioProofs(viewer, reference),
    ),
);
