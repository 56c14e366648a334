import { handle } from '@/lib/api/handle';
import { changePortfolioNews, offeredChannels } from '@/lib/notifications/commands';
import { getNewsSettings } from '@/lib/notifications/queries';
import { newsSettingsSchema, portfolioNewsChangeSchema } from '@/lib/notifications/schema';
import { portfolioParamsSchema } from '@/lib/stats/schema';

export const PUT = handle(
  {
    summary: 'Changes what the member hears of one portfolio; null takes a choice back to what holds for all',
    access: 'member',
    whileSuspended: true,
    params: portfolioParamsSchema,
    body: portfolioNewsChangeSchema,
    answers: newsSettingsSchema,
  },
  async ({ viewer, params, body, now }) => {
    await changePortfolioNews(viewer, params.reference, body);
    return getNewsSettings(viewer, ['app', ...offeredChannels().map(({ channel }) => channel)], now);
  },
);
