import { z } from 'zod';
import { listFollowing } from '@/lib/accounts/queries/following';
import { followingEntrySchema } from '@/lib/accounts/schema/user';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  { summary: 'What the signed-in user follows', access: 'member', answers: z.array(followingEntrySchema) },
  ({ viewer }) => listFollowing(viewer),
);
