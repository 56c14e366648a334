import { handle } from '@/lib/api/handle';
import { findHelpLine } from '@/lib/reference/queries';
import { ownHelpLineSchema } from '@/lib/reference/schema';

export const GET = handle(
  {
    summary: 'Where somebody in the country of the signed-in user finds help with gambling',
    access: 'member',
    answers: ownHelpLineSchema,
  },
  async ({ viewer }) => {
    const line = await findHelpLine(viewer.countryId);
    return { help: line && { name: line.name, url: line.url, telephone: line.telephone } };
  },
);
