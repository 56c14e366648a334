import { handle } from '@/lib/api/handle';
import { changeNews, offeredChannels } from '@/lib/notifications/commands';
import { getNewsSettings } from '@/lib/notifications/queries';
import { newsChangeSchema, newsSettingsSchema } from '@/lib/notifications/schema';

const ways = () => ['app' as const, ...offeredChannels().map(({ channel }) => channel)];

export const GET = handle(
  {
    summary: 'What the member hears, by which channel and when, for all portfolios and for each',
    access: 'member',
    answers: newsSettingsSchema,
  },
  ({ viewer, now }) => getNewsSettings(viewer, ways(), now),
);

export const PUT = handle(
  {
    summary: 'Changes what the member hears of all portfolios, by which channel and when; what is not named stays',
    access: 'member',
    whileSuspended: true,
    body: newsChangeSchema,
    answers: newsSettingsSchema,
  },
  async ({ viewer, body, now }) => {
    await changeNews(viewer, body);
    return getNewsSettings(viewer, ways(), now);
  },
);
