import { z } from 'zod';
import { listFollowing } from '@/lib/accounts/queries';
import { followingEntrySchema } from '@/lib/accounts/schema';
import { handle } from '@/lib/api/handle';

export const GET = handle(
  { summary: 'What the signed-in user follows', access: 'member', answers: z.array(followingEntrySchema) },
  ({ viewer }) => listFollowing(viewer),
);
