import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { getMarkets, listPriceHistories } from '@/lib/fixtures/queries';
import { fixtureParamsSchema, priceHistorySchema } from '@/lib/fixtures/schema';
import { Failure } from '@/lib/platform/errors';

export const GET = handle(
  {
    summary: 'Every price of one selection by bookmaker, in order of time, the closing ones marked',
    access: 'public',
    params: fixtureParamsSchema.extend({
      selection: z
        .string()
        .regex(/^[1-9]\d{0,9}$/, 'must be the id of a selection')
        .transform(Number),
    }),
    answers: z.object({ marketName: z.string(), selectionName: z.string(), history: priceHistorySchema }),
  },
  async ({ viewer, params: { reference, selection }, now }) => {
    const [{ markets }, histories] = await Promise.all([
      getMarkets(viewer, reference, { showAll: true, pinnacleOnly: false }, now),
      listPriceHistories(viewer, reference, now),
    ]);
    const market = markets.find(({ selections }) => selections.some(({ id }) => id === selection));
    const own = market?.selections.find(({ id }) => id === selection);
    if (!market || !own)
      throw new Failure(
        'missing',
        'There is no such selection, or no bookmaker that is shown in your country has a price for it. Find one on the page of its fixture.',
      );
    const series = histories.find(({ marketId }) => marketId === market.id)?.series ?? [];
    return {
      marketName: market.name,
      selectionName: own.name,
      history: { marketId: market.id, series: series.filter(({ selectionId }) => selectionId === selection) },
    };
  },
);
