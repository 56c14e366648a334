import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { changePortfolio, openPortfolio } from '@/lib/portfolios/commands';
import { listManagedPortfolios } from '@/lib/portfolios/queries';
import { managedPortfolioSchema, portfolioChangeSchema, portfolioInputSchema } from '@/lib/portfolios/schema';
import { idempotencyHeadersSchema } from '@/lib/reference/schema';

const limit = { hits: 20, windowSeconds: 60 };

export const GET = handle(
  {
    summary: 'The portfolios that the signed-in user manages',
    access: 'member',
    answers: z.array(managedPortfolioSchema),
  },
  ({ viewer, now }) => listManagedPortfolios(viewer, now),
);

export const POST = handle(
  {
    summary: 'Create a portfolio',
    access: 'confirmed',
    headers: idempotencyHeadersSchema,
    body: portfolioInputSchema,
    answers: z.object({ reference: z.string() }),
    creates: true,
    limit,
  },
  ({ viewer, headers, body, now }) => openPortfolio(viewer, body, headers['idempotency-key'], now),
);

export const PUT = handle(
  {
    summary: 'Change a portfolio of one’s own, named by its reference; what is left out stays as it is',
    access: 'confirmed',
    headers: idempotencyHeadersSchema,
    body: portfolioChangeSchema,
    answers: managedPortfolioSchema,
    limit,
  },
  ({ viewer, headers, body, now }) => changePortfolio(viewer, body, headers['idempotency-key'], now),
);
