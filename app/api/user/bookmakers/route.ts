import { handle } from '@/lib/api/handle';
import { countryBookmakersSchema } from '@/lib/reference/schema';
import { listBookmakers } from '@/lib/reference/queries';
import { isBookmakerVisible } from '@/lib/odds/rules';

export const GET = handle(
  {
    summary: 'Which bookmakers serve the country of the signed-in user, for each purpose',
    access: 'member',
    answers: countryBookmakersSchema,
  },
  async ({ viewer }) => ({
    bookmakers: (await listBookmakers()).map((bookmaker) => ({
      id: bookmaker.id,
      reference: bookmaker.reference,
      markets: isBookmakerVisible(bookmaker, viewer.countryId, 'markets'),
      liveOdds: isBookmakerVisible(bookmaker, viewer.countryId, 'liveOdds'),
      addTips: isBookmakerVisible(bookmaker, viewer.countryId, 'addTips'),
    })),
  }),
);
