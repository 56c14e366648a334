import { ChangingFile, fixedFileOf } from '@/lib/api/download';
import { handle } from '@/lib/api/handle';
import { getLogCheckpoint } from '@/lib/record/queries';
import { logMediaTypes } from '@/lib/record/schema';

const freshSeconds = 5;

export const GET = handle(
  {
    summary: 'The newest checkpoint of the record as a signed note with its cosignatures (c2sp.org/tlog-checkpoint)',
    access: 'public',
    answers: fixedFileOf([logMediaTypes.note]),
  },
  async () =>
    new ChangingFile(
      { name: 'checkpoint', mediaType: logMediaTypes.note },
      new TextEncoder().encode(await getLogCheckpoint()),
      freshSeconds,
    ),
);
