import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { orderProPrices } from '@/lib/memberships/commands';
import { planLimits } from '@/lib/memberships/schema';
import { amountFields, amountsOf } from '@/lib/money/schema';
import { staffOrderSchema, staffOutcomeSchema } from '@/lib/staff/schema';

const bounds = { least: planLimits.leastMinor, most: planLimits.mostMinor };
const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });
const needed = 'What is on sale needs a price in pounds: whoever has none in their own currency pays it.';

export const POST = handle(
  {
    summary:
      'Staff set what Tipledger Pro costs by month and year, in major units; a higher price is told to members 30 days ahead',
    access: 'staff',
    body: staffOrderSchema
      .extend({
        action: z.literal('pro.prices'),
        seen: z.string().max(500),
        monthOnSale: flag,
        ...amountFields('month', bounds),
        yearOnSale: flag,
        ...amountFields('year', bounds),
      })
      .refine(({ monthOnSale, monthGBP }) => !monthOnSale || monthGBP !== null, { path: ['monthGBP'], message: needed })
      .refine(({ yearOnSale, yearGBP }) => !yearOnSale || yearGBP !== null, { path: ['yearGBP'], message: needed }),
    answers: staffOutcomeSchema,
  },
  ({ viewer, body: { seen, reason, preview, monthOnSale, yearOnSale, ...fields } }) =>
    orderProPrices(viewer, {
      plans: [
        { period: 'month', onSale: monthOnSale, prices: amountsOf('month', fields) },
        { period: 'year', onSale: yearOnSale, prices: amountsOf('year', fields) },
      ],
      seen,
      reason,
      preview,
    }),
);
