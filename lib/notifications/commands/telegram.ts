import 'server-only';
import { sql } from 'kysely';
import { readChats, tellInTelegram } from '@/lib/telegram/commands';
import type { Channel, Outward } from './channels';

/** Product §12: messages of the site's bot in the chat that a member linked. */
export const telegramChannel: Channel & Outward = {
  channel: 'telegram',
  reach: sql<boolean>`exists (select from telegram_link where telegram_link.account_id = account.id)`,
  isOurs: false,
  open: async (accountIds) => {
    const chats = await readChats(accountIds);
    return {
      deliver: async ({ title, body, link, slipLink }, { accountId }) => {
        const chat = chats.get(accountId);
        if (!chat) return 'gone';
        return tellInTelegram(chat, {
          text: `${title}\n\n${body}`,
          links: [{ title: 'Open', url: link }, ...(slipLink ? [{ title: 'Add to bet slip', url: slipLink }] : [])],
        });
      },
      note: async () => undefined,
    };
  },
};
