import { handle } from '@/lib/api/handle';
import { getMember } from '@/lib/memberships/queries';
import { memberParamsSchema, memberSchema } from '@/lib/memberships/schema';

export const GET = handle(
  {
    summary: 'A member of a portfolio of one’s own, by the reference of the membership',
    access: 'member',
    params: memberParamsSchema,
    answers: memberSchema,
  },
  async ({ viewer, params }) => memberSchema.parse(await getMember(viewer, params.reference, params.id)),
);
