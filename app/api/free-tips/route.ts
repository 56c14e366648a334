import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { guest } from '@/lib/http/viewer';
import { daysAfter } from '@/lib/fixtures/rules';
import { listTopTips } from '@/lib/tips/queries';
import { tipAnswer } from '@/lib/tips/rules';
import { tipAnswerSchema } from '@/lib/tips/schema';

export const GET = handle(
  {
    summary: 'The free tips of the next 24 hours by those with the best year, as everybody may read them',
    access: 'unidentified',
    answers: z.object({ items: z.array(tipAnswerSchema) }),
  },
  async ({ now }) => {
    const top = await listTopTips(guest(), { until: daysAfter(now, 1), limit: 5 }, now);
    const open = top.map(({ tip }) => tip).filter(({ lock, free }) => lock === null && free);
    return { items: open.map(tipAnswer) };
  },
);
