import { z } from 'zod';

/** Ours (0076): how long a code that links a chat is good, in minutes. */
export const codeMinutes = 15;

/** The answer of GET /user/telegram: whether this site has a bot, and the chat that is linked. */
export const telegramSettingsSchema = z.object({
  offered: z.boolean(),
  linked: z.object({ name: z.string(), since: z.iso.datetime() }).nullable(),
});

/** The answer of GET /user/telegram. */
export type TelegramSettings = z.infer<typeof telegramSettingsSchema>;

/** The answer of POST /user/telegram: the address that opens the chat with the bot, good once and until then. */
export const telegramInviteSchema = z.object({ url: z.string(), expiresAt: z.iso.datetime() });

const chatSchema = z.object({
  id: z.int(),
  type: z.string(),
  first_name: z.string().optional(),
  username: z.string().optional(),
});

/** What the bot API tells of somebody who writes to the bot or blocks it; all else is passed over. */
export const updateSchema = z.object({
  update_id: z.int(),
  message: z.object({ chat: chatSchema, text: z.string().optional() }).optional(),
  my_chat_member: z.object({ chat: chatSchema, new_chat_member: z.object({ status: z.string() }) }).optional(),
});

/** What the bot API tells. */
export type TelegramUpdate = z.infer<typeof updateSchema>;
