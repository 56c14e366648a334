import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Update = { update_id: number } & Record<string, unknown>;
type Sent = { chat_id: string; text: string; reply_markup?: { inline_keyboard: { text: string; url: string }[][] } };

/** A server that behaves like the bot API of Telegram for one bot. */
export type TelegramServer = {
  url: string;
  token: string;
  /** Lets a person write to the bot in a private chat. */
  write(chatId: number, text: string, from?: { username?: string; first_name?: string }): void;
  /** Numbers what is written from now on after another number. */
  numberFrom(id: number): void;
  /** Lets a person block the bot: it is told so unless `silently`, and may write no more. */
  block(chatId: number, silently?: boolean): void;
  /** Answers every call with this status until it is null again. */
  failWith: number | null;
  sent: Sent[];
  /** The offsets that were asked from. */
  offsets: number[];
  close(): Promise<void>;
};

/** Starts the server on a free port of this machine. */
export async function startTelegram({ bot = '123456', last: begun = 700 } = {}): Promise<TelegramServer> {
  const token = `${bot}:a-token-of-the-tests`;
  let updates: Update[] = [];
  let last = begun;
  const chats = new Set<number>();
  const blocked = new Set<number>();
  const tell = (update: Record<string, unknown>) => updates.push({ update_id: (last += 1), ...update });

  function answer(method: string, given: Record<string, unknown>): [number, object] {
    const refuse = (status: number, description: string): [number, object] => [
      status,
      { ok: false, error_code: status, description },
    ];
    if (server.failWith !== null) return refuse(server.failWith, 'Internal Server Error');
    if (method === 'getMe') return [200, { ok: true, result: { id: 1, is_bot: true, username: 'tipledger_test_bot' } }];
    if (method === 'getUpdates') {
      const offset = Number(given.offset ?? 0);
      server.offsets.push(offset);
      updates = updates.filter(({ update_id: id }) => id >= offset);
      return [200, { ok: true, result: updates.slice(0, 100) }];
    }
    if (method !== 'sendMessage') return refuse(404, 'Not Found');
    const chatId = Number(given.chat_id);
    const links = (given as Sent).reply_markup?.inline_keyboard.flat() ?? [];
    if (blocked.has(chatId)) return refuse(403, 'Forbidden: bot was blocked by the user');
    if (!chats.has(chatId)) return refuse(400, 'Bad Request: chat not found');
    if (links.some(({ url }) => !url.startsWith('https://'))) return refuse(400, 'Bad Request: BUTTON_URL_INVALID');
    server.sent.push(given as Sent);
    return [200, { ok: true, result: { message_id: server.sent.length } }];
  }

  const http = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const [, given, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
      const [status, body] =
        given === token
          ? answer(method, JSON.parse(text || '{}') as Record<string, unknown>)
          : ([401, { ok: false, error_code: 401, description: 'Unauthorized' }] as const);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: TelegramServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    token,
    failWith: null,
    sent: [],
    offsets: [],
    write: (chatId, text, from = {}) => {
      chats.add(chatId);
      blocked.delete(chatId);
      tell({ message: { chat: { id: chatId, type: 'private', ...from }, text } });
    },
    numberFrom: (id) => void (last = id),
    block: (chatId, silently = false) => {
      blocked.add(chatId);
      if (!silently)
        tell({ my_chat_member: { chat: { id: chatId, type: 'private' }, new_chat_member: { status: 'kicked' } } });
    },
    close: () => new Promise((resolve) => http.close(() => resolve())),
  };
  return server;
}
