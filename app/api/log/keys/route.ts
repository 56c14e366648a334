import { handle } from '@/lib/api/handle';
import { getLogKeys } from '@/lib/record/queries';
import { logKeysSchema } from '@/lib/record/schema';

export const GET = handle(
  {
    summary: 'The name of the log and the keys that sign it, each after the first signed by the one before',
    access: 'public',
    answers: logKeysSchema,
  },
  () => getLogKeys(),
);
