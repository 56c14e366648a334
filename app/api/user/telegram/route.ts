import { handle } from '@/lib/api/handle';
import { inviteToTelegram, unlinkTelegram } from '@/lib/telegram/commands';
import { readTelegramSettings } from '@/lib/telegram/queries';
import { telegramInviteSchema, telegramSettingsSchema } from '@/lib/telegram/schema';

export const GET = handle(
  {
    summary: 'Whether this site tells by Telegram, and the chat of the member that is linked',
    access: 'member',
    answers: telegramSettingsSchema,
  },
  ({ viewer }) => readTelegramSettings(viewer),
);

export const POST = handle(
  {
    summary: 'The address that opens the chat with the site’s bot and links it, good once and for some minutes',
    access: 'confirmed',
    answers: telegramInviteSchema,
    limit: { hits: 10, windowSeconds: 60 },
  },
  ({ viewer, now }) => inviteToTelegram(viewer, now),
);

export const DELETE = handle(
  {
    summary: 'Unlink the chat of the member',
    access: 'confirmed',
    whileSuspended: true,
    answers: telegramSettingsSchema,
  },
  async ({ viewer }) => {
    await unlinkTelegram(viewer);
    return readTelegramSettings(viewer);
  },
);
