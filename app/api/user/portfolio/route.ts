import { z } from 'zod';
import { handle } from '@/lib/entry/handle';
import { listManagedPortfolios } from '@/lib/portfolios/queries/managed';
import { managedPortfolioSchema } from '@/lib/portfolios/schema/managed';

export const GET = handle({ summary: 'The portfolios that the signed-in user manages', access: 'member', answers: z.array(managedPortfolioSchema) }, ({ viewer, now }) => listManagedPortfolios(viewer, now));
