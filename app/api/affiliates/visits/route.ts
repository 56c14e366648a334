import { done, doneSchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';
import { countVisit } from '@/lib/affiliates/commands';
import { visitSchema } from '@/lib/affiliates/schema';

export const POST = handle(
  {
    summary: 'Count that somebody came by the link of an affiliate',
    access: 'unidentified',
    body: visitSchema,
    answers: doneSchema,
    limit: { hits: 20, windowSeconds: 60 },
  },
  async ({ body, now }) => {
    await countVisit(body.code, now);
    return done;
  },
);
