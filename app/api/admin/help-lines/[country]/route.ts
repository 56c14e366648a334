import { handle } from '@/lib/api/handle';
import { editHelpLine } from '@/lib/content/commands';
import { helpLineOrderSchema, helpLineParamsSchema } from '@/lib/content/schema';
import { staffOutcomeSchema } from '@/lib/staff/schema';

export const POST = handle(
  {
    summary: 'Sets where somebody in a country finds help with gambling',
    access: 'staff',
    params: helpLineParamsSchema,
    body: helpLineOrderSchema,
    answers: staffOutcomeSchema,
  },
  ({ viewer, params, body }) => editHelpLine(viewer, params.country, body),
);
