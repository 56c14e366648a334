import { sql } from 'kysely';
import { closeAllSessions, closeSession } from '@/lib/accounts/commands';
import { telegramChannel } from '@/lib/notifications/commands/telegram';
import { database } from '@/lib/platform/database';
import { askTelegram, inviteToTelegram, readChats, tellInTelegram, unlinkTelegram } from '@/lib/telegram/commands';
import type { TelegramMessage } from '@/lib/telegram/commands/bot';
import { readTelegramSettings } from '@/lib/telegram/queries';
import { codeMinutes } from '@/lib/telegram/schema';
import { callerFrom, logIn, openAccount, viewerOf } from '../support/accounts';
import { onTestDatabase, undone } from '../support/database';
import { join } from '../support/members';
import { startTelegram, type TelegramServer } from '../support/telegram-server';
import { worldNow } from '../support/world';

onTestDatabase();

let telegram: TelegramServer;

beforeEach(async () => {
  telegram = await startTelegram();
  process.env.TIPLEDGER_TELEGRAM_TOKEN = telegram.token;
  process.env.TIPLEDGER_TELEGRAM_URL = telegram.url;
});

afterEach(async () => {
  delete process.env.TIPLEDGER_TELEGRAM_TOKEN;
  delete process.env.TIPLEDGER_TELEGRAM_URL;
  await telegram.close();
});

const codeIn = (url: string) => new URL(url).searchParams.get('start') ?? '';
const message = { text: 'Athletic at 2.50', links: [] };

async function linked(name: string, chatId: number) {
  const viewer = await join(name, worldNow);
  const { url } = await inviteToTelegram(viewer, worldNow);
  telegram.write(chatId, `/start ${codeIn(url)}`, { username: `${name}_t` });
  await askTelegram(worldNow);
  return viewer;
}

/** Says something in the chat that a member has linked now. */
async function tell({ accountId }: { accountId: number }, said: TelegramMessage): Promise<string> {
  const chat = (await readChats([accountId])).get(accountId);
  return chat ? tellInTelegram(chat, said) : 'no chat';
}

test(
  'the code of a member links the chat that it is sent from, once, and the bot says so',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const { url } = await inviteToTelegram(bob, worldNow);
    expect(url).toMatch(/^https:\/\/t\.me\/tipledger_test_bot\?start=[\w-]{43}$/);
    telegram.write(41, `/start ${codeIn(url)}`, { username: 'bobby' });
    await askTelegram(worldNow);
    expect(await readTelegramSettings(bob)).toEqual({
      offered: true,
      linked: { name: '@bobby', since: worldNow.toISOString() },
    });
    expect(telegram.sent.at(-1)).toMatchObject({
      chat_id: '41',
      text: expect.stringContaining('Linked to bob') as string,
    });

    telegram.write(42, `/start ${codeIn(url)}`);
    await askTelegram(worldNow);
    expect(telegram.sent.at(-1)).toMatchObject({
      chat_id: '42',
      text: expect.stringContaining('used or too old') as string,
    });
    expect((await readTelegramSettings(bob)).linked?.name).toBe('@bobby');
  }),
);

test(
  'a code is good for its time, and until there is another',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const first = await inviteToTelegram(bob, worldNow);
    const second = await inviteToTelegram(bob, worldNow);
    telegram.write(41, `/start ${codeIn(first.url)}`);
    await askTelegram(worldNow);
    telegram.write(41, `/start ${codeIn(second.url)}`);
    await askTelegram(new Date(worldNow.getTime() + codeMinutes * 60_000));
    expect((await readTelegramSettings(bob)).linked).toBeNull();
    const { rows } = await sql`select from telegram_code`.execute(database());
    expect(rows).toHaveLength(0);
  }),
);

test(
  'what was written to the bot is read once, in turn, and what is no message of ours is passed over',
  undone(async () => {
    telegram.write(41, 'hello');
    telegram.write(41, '/start wrong');
    await askTelegram(worldNow);
    await askTelegram(worldNow);
    expect(telegram.offsets).toEqual([1, 703]);
    expect(telegram.sent.map(({ text }) => text.slice(0, 20))).toEqual([
      'To be notified here ',
      'This link is used or',
    ]);
  }),
);

test(
  'updates that are numbered lower after a quiet week are read, and each once',
  undone(async () => {
    telegram.write(41, 'hello');
    await askTelegram(worldNow);
    telegram.numberFrom(20);
    const later = (days: number) => new Date(worldNow.getTime() + days * 86_400_000);
    await askTelegram(later(5.9));
    await askTelegram(later(7));
    telegram.write(41, 'hello again');
    for (const days of [7.1, 7.2]) await askTelegram(later(days));
    expect(telegram.sent).toHaveLength(2);
    expect(telegram.offsets).toEqual([1, 702, 1, 1, 22]);
  }),
);

test(
  'another bot is heard from its first update on',
  undone(async () => {
    telegram.write(41, 'hello');
    await askTelegram(worldNow);
    const other = await startTelegram({ bot: '654321', last: 20 });
    process.env.TIPLEDGER_TELEGRAM_TOKEN = other.token;
    process.env.TIPLEDGER_TELEGRAM_URL = other.url;
    try {
      other.write(41, 'hello');
      for (const _ of [1, 2]) await askTelegram(worldNow);
      expect([other.sent.length, other.offsets]).toEqual([1, [1, 22]]);
    } finally {
      await other.close();
    }
  }),
);

test(
  'a linked member is told, with buttons for addresses that the bot API takes',
  undone(async () => {
    const bob = await linked('bob', 41);
    expect(
      await tell(bob, {
        text: 'Athletic at 2.50',
        links: [
          { title: 'Open', url: 'https://tipledger.example/tip' },
          { title: 'Add to bet slip', url: 'http://localhost/slip' },
        ],
      }),
    ).toBe('sent');
    expect(telegram.sent.at(-1)).toMatchObject({
      chat_id: '41',
      text: 'Athletic at 2.50\nAdd to bet slip: http://localhost/slip',
      reply_markup: { inline_keyboard: [[{ text: 'Open', url: 'https://tipledger.example/tip' }]] },
    });
    const { rows } = await sql<{
      username: string;
    }>`select username from account where ${telegramChannel.reach}`.execute(database());
    expect(rows).toEqual([{ username: 'bob' }]);
  }),
);

test.each([
  ['blocks the bot', (chat: number) => telegram.block(chat)],
  ['writes /stop', (chat: number) => telegram.write(chat, '/stop')],
])('who %s is unlinked', (_, act) =>
  undone(async () => {
    const bob = await linked('bob', 41);
    act(41);
    await askTelegram(worldNow);
    expect((await readTelegramSettings(bob)).linked).toBeNull();
    expect(await tell(bob, message)).toBe('no chat');
  })(),
);

test(
  'who blocked the bot unseen is unlinked when a message does not reach them; a service in trouble is tried again',
  undone(async () => {
    const bob = await linked('bob', 41);
    telegram.failWith = 500;
    expect(await tell(bob, message)).toBe('retry');
    telegram.failWith = null;
    telegram.block(41, true);
    expect(await tell(bob, message)).toBe('gone');
    expect((await readTelegramSettings(bob)).linked).toBeNull();
  }),
);

test(
  'a chat is of one account: linked again it is of the new one',
  undone(async () => {
    const bob = await linked('bob', 41);
    const cat = await linked('cat', 41);
    expect((await readTelegramSettings(bob)).linked).toBeNull();
    expect((await readTelegramSettings(cat)).linked).not.toBeNull();
    await unlinkTelegram(cat);
    await expect(unlinkTelegram(cat)).rejects.toMatchObject({ kind: 'missing' });
  }),
);

test(
  'without a token nothing is offered, asked or made',
  undone(async () => {
    delete process.env.TIPLEDGER_TELEGRAM_TOKEN;
    const bob = await join('bob', worldNow);
    expect(await readTelegramSettings(bob)).toEqual({ offered: false, linked: null });
    await expect(inviteToTelegram(bob, worldNow)).rejects.toMatchObject({ kind: 'missing' });
    await askTelegram(worldNow);
    expect(telegram.offsets).toEqual([]);
  }),
);

test(
  'a chat stays linked when one login is closed; with all of them it goes, and with it a code that waits',
  undone(async () => {
    const id = await openAccount('bob', {}, worldNow);
    const [one, other] = [await logIn(id, worldNow), await logIn(id, worldNow)];
    const [first, second] = [await viewerOf(one, worldNow), await viewerOf(other, worldNow)];
    telegram.write(7, `/start ${codeIn((await inviteToTelegram(first, worldNow)).url)}`, { username: 'bob_t' });
    await askTelegram(worldNow);
    await closeSession({ refreshToken: one.refreshToken }, callerFrom('192.0.2.1'), worldNow);
    await expect(inviteToTelegram(first, worldNow)).rejects.toMatchObject({ kind: 'unauthorised' });
    expect(await tell({ accountId: id }, message)).toBe('sent');
    const { url } = await inviteToTelegram(second, worldNow);
    await closeAllSessions(second, worldNow);
    expect(await tell({ accountId: id }, message)).toBe('no chat');
    telegram.write(8, `/start ${codeIn(url)}`, { username: 'thief' });
    await askTelegram(worldNow);
    expect(await tell({ accountId: id }, message)).toBe('no chat');
  }),
);
