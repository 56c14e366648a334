import { z } from 'zod';
import type { HttpSource } from '@/lib/fixtures/schema';
import { now } from '@/lib/platform/clock';
import { quoted } from '../file-text';
import { scanJson } from '../json-text';

/** Ours: the longest that a reading waits, in seconds, over all the times that the source asks it to slow down. */
export const maxWaitSeconds = 30;

/** The variable of the environment that holds the key. */
export const keyVariable = 'THE_ODDS_API_KEY';

const timeoutSeconds = 30;
const maxTries = 4;

/** How many calls are left of the key's quota, and how many were used; null where an answer does not say. */
export type Quota = { remaining: number | null; used: number | null };

/** An answer: its list and when it came in, or one sentence that says what was wrong; `isLast` when no further call can do better. */
export type Answer = { ok: true; items: unknown[]; at: Date } | { ok: false; isLast: boolean; problem: string };

/** One reading's calls to the source, one after the other. `quota` is what the newest answer said. */
export type Caller = { quota: Quota; ask(path: string, query: Record<string, string>): Promise<Answer> };

const errorSchema = z.object({ message: z.string().default(''), error_code: z.string().default('') });

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** A caller that never puts the key into what it says. */
export function callerOf({ baseUrl, apiKey, fetch }: HttpSource): Caller {
  const base = baseUrl.replace(/\/+$/, '');
  const host = URL.canParse(base) ? new URL(base).host : quoted(base);
  let waitedSeconds = 0;
  const caller: Caller = { quota: { remaining: null, used: null }, ask };
  return caller;

  async function ask(path: string, query: Record<string, string>): Promise<Answer> {
    const url = `${base}${path}?${new URLSearchParams({ apiKey, ...query })}`;
    for (let tries = 1; ; tries += 1) {
      const reply = await call(url);
      if ('problem' in reply) return reply;
      const { response, body } = reply;
      caller.quota = {
        remaining: count(response, 'x-requests-remaining') ?? caller.quota.remaining,
        used: count(response, 'x-requests-used') ?? caller.quota.used,
      };
      if (response.ok) return readList(body);
      const error = errorOf(body);
      const isSpent =
        error.error_code === 'OUT_OF_USAGE_CREDITS' ||
        (response.status === 429 && count(response, 'x-requests-remaining') === 0);
      if (isSpent) return last('The quota of the key is spent; wait until it is renewed or take a larger plan.');
      if (response.status !== 429) return refused(response.status, error);
      const seconds = retryAfter(response);
      if (tries === maxTries || waitedSeconds + seconds > maxWaitSeconds)
        return last(`The source answers too many requests (429) and asks to wait ${seconds} s; import again later.`);
      waitedSeconds += seconds;
      await pause(seconds);
    }
  }

  async function call(url: string): Promise<{ response: Response; body: string } | Extract<Answer, { ok: false }>> {
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
      });
      return { response, body: await response.text() };
    } catch (error) {
      return last(
        `${host} does not answer, or breaks off (${causeOf(error)}); check the address and the network, and import again.`,
      );
    }
  }

  function refused(status: number, { message, error_code: code }: z.infer<typeof errorSchema>): Answer {
    const said = quoted((message || code || 'nothing').replaceAll(apiKey, '…'));
    if (status === 401)
      return last(
        `The source refuses the key (${code || status}); put the key of your subscription into ${keyVariable}.`,
      );
    if (status >= 500) return last(`The source is in trouble (${status}); import again later.`);
    return {
      ok: false,
      isLast: false,
      problem: `The source refuses the call (${status}, ${said}); check the key of the sport.`,
    };
  }
}

const last = (problem: string) => ({ ok: false, isLast: true, problem }) as const;

function readList(body: string): Answer {
  if (/^\s*</.test(body))
    return last(
      'The source answers with a web page, not with JSON; check the address, and whether a proxy or a login stands between.',
    );
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    const { fault } = scanJson(body, '');
    const where =
      fault && fault.offset < body.length
        ? `is not JSON at character ${fault.offset + 1}`
        : `is cut off after ${body.length} characters`;
    return { ok: false, isLast: false, problem: `The answer ${where}; import again.` };
  }
  return Array.isArray(value)
    ? { ok: true, items: value, at: now() }
    : { ok: false, isLast: false, problem: 'The answer is not a list of events; check the address.' };
}

function errorOf(body: string): z.infer<typeof errorSchema> {
  try {
    return errorSchema.parse(JSON.parse(body));
  } catch {
    return { message: '', error_code: '' };
  }
}

function count(response: Response, header: string): number | null {
  const text = response.headers.get(header);
  return text !== null && /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) : null;
}

// In seconds, or without them one: the source limits calls a second.
function retryAfter(response: Response): number {
  return count(response, 'retry-after') ?? 1;
}

// By shape, not by class: the error may come from another realm than this module.
function causeOf(error: unknown): string {
  const cause = propertyOf(error, 'cause') ?? error;
  return (
    [propertyOf(cause, 'code'), propertyOf(cause, 'name')].find((text) => typeof text === 'string') ?? 'no reason given'
  );
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
