import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const timeoutSeconds = 60;
const attempts = 8;
const dataTypes = 'application/json, application/x-ndjson, text/csv';

/** A refusal for the person at the terminal. */
export class Refusal extends Error {}

/** The URL in a text, null where it is a path. */
export function urlOf(text: string): URL | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
}

/** The bytes of a file, in pieces. */
export async function* bytesOfFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new Refusal(`${file} cannot be read (${codeOf(error)}). Check the path and its permissions.`);
  }
}

/** The bytes at an address, in pieces. */
export async function* bytesOfUrl(url: URL): AsyncGenerator<Uint8Array> {
  const { body } = await fetchFrom(url);
  if (body) yield* body as unknown as AsyncIterable<Uint8Array>;
}

/** The JSON at an address. */
export async function fetchJson(url: URL): Promise<unknown> {
  return jsonOf(url, await fetchFrom(url));
}

/** The JSON at an address, null where there is nothing there. */
export async function findJson(url: URL): Promise<unknown> {
  const response = await fetchFrom(url, { mayBeMissing: true });
  return response.status === 404 ? null : jsonOf(url, response);
}

/** The HTML of a page as it is served to everybody. */
export async function fetchPage(url: URL): Promise<string> {
  return (await fetchFrom(url, { accept: 'text/html' })).text();
}

/** Lets so many through in a second, one after another. */
export function paced(perSecond: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    next = Math.max(now, next + 1000 / perSecond);
    if (next > now) await wait(next - now);
  };
}

async function jsonOf(url: URL, response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new Refusal(`${url} does not answer with JSON. Check the address.`);
  }
}

async function fetchFrom(url: URL, { mayBeMissing = false, accept = dataTypes } = {}): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetchOnce(url, accept);
    if (response.ok || (mayBeMissing && response.status === 404)) return response;
    if (attempt === attempts || ![429, 502, 503].includes(response.status))
      throw new Refusal(`${url} answers with ${response.status}. Check the address, or try again later.`);
    const seconds = Number(response.headers.get('retry-after')) || 2 ** attempt;
    await wait(1000 * Math.min(seconds, timeoutSeconds));
  }
}

async function fetchOnce(url: URL, accept: string): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(1000 * timeoutSeconds), headers: { accept } });
  } catch (error) {
    throw new Refusal(`${url} cannot be reached (${codeOf(error)}). Check the address and the connection.`);
  }
}

/** The text of a file or at an address. */
export async function readText(place: string, folder: string): Promise<string> {
  const url = urlOf(place);
  if (url) return (await fetchFrom(url)).text();
  const file = path.resolve(folder, place);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Refusal(`${file} cannot be read (${codeOf(error)}). Check the path and its permissions.`);
  }
}

/** The code of an error of the system or its cause, such as ENOENT; else its name. */
export function codeOf(error: unknown): string {
  const { code, name, cause } = error as { code?: string; name?: string; cause?: unknown };
  return code ?? (cause ? codeOf(cause) : (name ?? 'unknown'));
}
