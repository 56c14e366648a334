import 'server-only';
import { z } from 'zod';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

const timeoutMilliseconds = 10_000;

const answerSchema = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.int().optional(),
  description: z.string().optional(),
});

/** What the bot API refused, with its status. */
export class TelegramRefusal extends Error {
  readonly status: number;

  constructor(status: number, description: string) {
    super(description);
    this.status = status;
  }
}

/** Asks the bot API for something within `milliseconds`. Throws a TelegramRefusal for what it refuses, and an Error, which never names the token, for no answer. */
export async function askBotApi(
  method: string,
  parameters: object,
  milliseconds = timeoutMilliseconds,
): Promise<unknown> {
  const { TIPLEDGER_TELEGRAM_URL, TIPLEDGER_TELEGRAM_TOKEN } = env();
  let given: unknown;
  try {
    const response = await fetch(
      `${TIPLEDGER_TELEGRAM_URL.replace(/\/$/, '')}/bot${TIPLEDGER_TELEGRAM_TOKEN}/${method}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
        redirect: 'error',
        signal: AbortSignal.timeout(milliseconds),
      },
    );
    given = await response.json();
  } catch {
    throw new Error(`The bot API did not answer ${method}.`);
  }
  const answer = answerSchema.safeParse(given);
  if (!answer.success) throw new Error(`The bot API answered ${method} with what is no answer of it.`);
  const { ok, result, error_code: status, description } = answer.data;
  if (!ok) throw new TelegramRefusal(status ?? 0, description ?? 'refused');
  return result;
}

const names = singleton('telegram-bot-names', () => new Map<string, string>());

/** The name of the site's bot, by which its chat is opened. */
export async function botName(): Promise<string> {
  const token = env().TIPLEDGER_TELEGRAM_TOKEN ?? '';
  const known = names.get(token);
  if (known) return known;
  const { username } = z.object({ username: z.string().regex(/^\w{3,64}$/) }).parse(await askBotApi('getMe', {}));
  names.set(token, username);
  return username;
}
