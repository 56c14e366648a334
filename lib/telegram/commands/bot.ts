import 'server-only';
import { sql } from 'kysely';
import { z } from 'zod';
import { database, transact } from '@/lib/platform/database';
import { env } from '@/lib/platform/env';
import { lockAccount } from '@/lib/platform/held-account';
import { log } from '@/lib/platform/log';
import { hashToken } from '@/lib/platform/tokens';
import { type TelegramUpdate, updateSchema } from '../schema';
import { askBotApi, TelegramRefusal } from './bot-api';

/** Something to show in a chat: plain text, and buttons that lead somewhere. */
export type TelegramMessage = { text: string; links: readonly { title: string; url: string }[] };

const longestText = 4_000;

async function say(chatId: string, { text, links }: TelegramMessage): Promise<void> {
  // A button takes no address of a machine of one's own.
  const buttons = links.filter(({ url }) => url.startsWith('https://'));
  const spelt = links.filter((link) => !buttons.includes(link)).map(({ title, url }) => `${title}: ${url}`);
  await askBotApi('sendMessage', {
    chat_id: chatId,
    text: [[...text].slice(0, longestText).join(''), ...spelt].join('\n'),
    link_preview_options: { is_disabled: true },
    ...(buttons.length > 0 && {
      reply_markup: { inline_keyboard: [buttons.map(({ title, url }) => ({ text: title, url }))] },
    }),
  });
}

const hasNoWay = (error: unknown) =>
  error instanceof TelegramRefusal &&
  (error.status === 403 || (error.status === 400 && /chat not found|user is deactivated/i.test(error.message)));

/** The chat that an account linked. */
export type LinkedChat = { accountId: number; chatId: string };

/** The chats that accounts linked, by account. */
export async function readChats(accountIds: readonly number[]): Promise<Map<number, LinkedChat>> {
  const { rows } = await sql<LinkedChat>`
    select account_id as "accountId", chat_id::text as "chatId" from telegram_link where account_id = any(${[...accountIds]}::int[])
  `.execute(database());
  return new Map(rows.map((chat) => [chat.accountId, chat]));
}

/** Says something in a chat. 'gone' where this site has no bot, or the bot was blocked in it, whereupon it is unlinked; 'retry' where the bot API cannot take it now. */
export async function tellInTelegram(
  { accountId, chatId }: LinkedChat,
  message: TelegramMessage,
): Promise<'sent' | 'retry' | 'gone'> {
  if (!env().TIPLEDGER_TELEGRAM_TOKEN) return 'gone';
  try {
    await say(chatId, message);
    return 'sent';
  } catch (error) {
    if (!hasNoWay(error)) {
      log.warn({ event: 'telegram_failed', why: error instanceof Error ? error.message : String(error) });
      return 'retry';
    }
    await sql`delete from telegram_link where account_id = ${accountId} and chat_id = ${chatId}::bigint`.execute(
      database(),
    );
    return 'gone';
  }
}

// The bot API holds a question open for so long while there is nothing to tell.
const pollSeconds = 5;
// After a week without any, Telegram numbers updates from anywhere; what was read is long confirmed by then.
const quietDays = 6;

/** Ours (0076): asks the bot API what was written to the bot, and links and unlinks chats by it, each message once. Does nothing without a bot. */
export async function askTelegram(now: Date): Promise<void> {
  const { TIPLEDGER_TELEGRAM_TOKEN: token } = env();
  if (!token) return;
  const last = await readLast(token.split(':', 1)[0] ?? '', now);
  const given = z
    .array(z.looseObject({ update_id: z.int() }))
    .parse(
      await askBotApi(
        'getUpdates',
        { offset: last + 1, timeout: pollSeconds, allowed_updates: ['message', 'my_chat_member'] },
        (pollSeconds + 10) * 1000,
      ),
    );
  for (const each of given.toSorted((a, b) => a.update_id - b.update_id)) {
    const update = updateSchema.safeParse(each);
    const answer = await transact(async () => {
      const { numAffectedRows } = await sql`
        update telegram_progress set update_id = ${each.update_id}, heard_at = ${now} where update_id < ${each.update_id}
      `.execute(database());
      return numAffectedRows === 1n && update.success ? take(update.data, now) : null;
    });
    const chatId = update.data?.message?.chat.id;
    if (answer && chatId !== undefined) await say(String(chatId), { text: answer, links: [] }).catch(() => undefined);
  }
}

/** The number of the last update that was read of a bot; 0 where the next may have any. */
async function readLast(bot: string, now: Date): Promise<number> {
  await sql`
    update telegram_progress set update_id = 0, bot = ${bot}, heard_at = ${now}
    where bot is distinct from ${bot} or heard_at is null or heard_at <= ${now}::timestamptz - make_interval(days => ${quietDays})
  `.execute(database());
  const { rows } = await sql<{ last: string }>`select update_id::text as last from telegram_progress`.execute(
    database(),
  );
  return Number(rows[0]?.last ?? 0);
}

/** Does what an update asks for; gives what the bot answers. */
async function take({ message, my_chat_member: member }: TelegramUpdate, now: Date): Promise<string | null> {
  if (member && ['kicked', 'left'].includes(member.new_chat_member.status)) {
    await unlink(member.chat.id);
    return null;
  }
  if (!message?.text || message.chat.type !== 'private') return null;
  const [word = '', code = ''] = message.text.trim().split(/\s+/);
  if (word === '/start' && code !== '') return link(message.chat, code, now);
  if (word === '/stop')
    return (await unlink(message.chat.id))
      ? 'You will no longer get notifications here. You can link this chat again in your notification settings.'
      : 'This chat is not linked to an account.';
  return `To be notified here when your tipsters publish, open your notification settings at ${env().siteUrl} and press “Link Telegram”. Send /stop to stop the notifications.`;
}

async function unlink(chatId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from telegram_link where chat_id = ${chatId}::bigint`.execute(
    database(),
  );
  return numAffectedRows === 1n;
}

const usedCode = 'This link is used or too old. Press “Link Telegram” in your notification settings again.';

type Chat = NonNullable<TelegramUpdate['message']>['chat'];

async function link({ id, username, first_name: first }: Chat, code: string, now: Date): Promise<string> {
  const { rows: known } = await sql<{ accountId: number }>`
    select account_id as "accountId" from telegram_code where code_hash = ${hashToken(code)}
  `.execute(database());
  // Held before its code is taken, as by whoever deletes it.
  if (!known[0] || !(await lockAccount(known[0].accountId))) return usedCode;
  const { rows } = await sql<{ accountId: number; username: string }>`
    with spent as (delete from telegram_code where code_hash = ${hashToken(code)} returning account_id, expires_at)
    select account_id as "accountId", username from spent join account on account.id = account_id where expires_at > ${now}
  `.execute(database());
  const [account] = rows;
  if (!account) return usedCode;
  const name = (username ? `@${username}` : first || 'Telegram').slice(0, 100);
  await unlink(id);
  await sql`
    insert into telegram_link (account_id, chat_id, name, linked_at) values (${account.accountId}, ${id}, ${name}, ${now})
    on conflict (account_id) do update set chat_id = excluded.chat_id, name = excluded.name, linked_at = excluded.linked_at
  `.execute(database());
  return `Linked to ${account.username} at Tipledger. Choose what you are notified about in your notification settings. Send /stop to stop notifications here.`;
}
