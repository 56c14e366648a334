import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkpointSchema, type Checkpoint } from '@/lib/record/schema';
import { readLedgerPages } from '@/lib/record/rules/pages';
import { readLedger } from '@/lib/record/rules/read-ledger';
import type { LedgerItem } from '@/lib/record/rules/records';
import { reportSentences } from '@/lib/record/rules/report';
import { verifyLedger } from '@/lib/record/rules/verify';
import { RecordFold } from '@/lib/stats/rules/record-fold';
import { asking, NoAnswer } from './verify/ask';
import { compareSite, folded } from './verify/site';

const usage = `Usage: npm run ledger:verify -- <url|file> [--key <id>]… [--checkpoint <url|file>]… [--site]

  <url>         a site (https://tipledger.example), whose whole ledger is read, or an export on it
  <file>        an export in JSON, NDJSON or CSV
  --key         the id of a key that you trust; without it, the keys that the export names
  --checkpoint  a checkpoint that you kept from earlier, which the ledger must still agree with
  --site        of a site: whether its statistics, months, comparison and tips are what its record says`;

const timeoutSeconds = 60;
const attempts = 5;

/** A refusal for the person at the terminal. */
class Refusal extends Error {}

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Product §6: verifies a ledger or an export of it and prints what it found; returns the exit code: 0 when all holds, 1 when something does not or cannot be read. */
export async function main(args: string[], folder: string): Promise<number> {
  try {
    const { source, keys, checkpoints, site } = readArguments(args);
    const fold = new RecordFold();
    const kept = await Promise.all(checkpoints.map((place) => readCheckpoints(place, folder)));
    const report = await verifyLedger(site ? folded(itemsOf(source, folder), fold) : itemsOf(source, folder), {
      trustedKeyIds: keys.length > 0 ? keys : null,
      keptCheckpoints: kept.flat(),
      onProgress: progress(),
    });
    endProgress();
    for (const sentence of reportSentences(report)) process.stdout.write(`${sentence}\n`);
    if (!report.ok || !site) return report.ok ? 0 : 1;
    const shown = await compareSite(fold, asking(site));
    for (const line of shown.lines) process.stdout.write(`${line}\n`);
    return shown.ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof NoAnswer)) throw error;
    endProgress();
    say(`Error: ${error.message}`);
    return 1;
  }
}

function readArguments(args: string[]): { source: string; keys: string[]; checkpoints: string[]; site: URL | null } {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { key: { type: 'string', multiple: true }, checkpoint: { type: 'string', multiple: true }, site: { type: 'boolean' } } });
    const [source] = positionals;
    if (source === undefined || positionals.length > 1) throw new Refusal(`${source === undefined ? 'Name the ledger to verify.' : 'Name one ledger only.'}\n\n${usage}`);
    const url = urlOf(source);
    if (values.site && !(url && ledgerCallsAt(url))) throw new Refusal(`--site compares a site with its whole ledger: name the site.\n\n${usage}`);
    return { source, keys: values.key ?? [], checkpoints: values.checkpoint ?? [], site: values.site ? url : null };
  } catch (error) {
    if (!codeOf(error).startsWith('ERR_PARSE_ARGS')) throw error;
    throw new Refusal(`${(error as Error).message}\n\n${usage}`);
  }
}

function urlOf(text: string): URL | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
}

/** The calls of the ledger when the address is a site or one of them, null when it is an export. */
function ledgerCallsAt({ origin, pathname }: URL): string | null {
  return /^\/(api\/ledger(\/(entries|checkpoint)?)?)?$/.test(pathname) ? `${origin}/api/ledger/` : null;
}

function itemsOf(source: string, folder: string): AsyncIterable<LedgerItem> {
  const url = urlOf(source);
  if (!url) return readLedger(bytesOfFile(path.resolve(folder, source)));
  const calls = ledgerCallsAt(url);
  return calls ? readLedgerPages((address) => fetchJson(new URL(address, calls))) : readLedger(bytesOfUrl(url));
}

async function* bytesOfFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new Refusal(`${file} cannot be read (${codeOf(error)}). Check the path and its permissions.`);
  }
}

async function* bytesOfUrl(url: URL): AsyncGenerator<Uint8Array> {
  const { body } = await fetchFrom(url);
  if (body) yield* body as unknown as AsyncIterable<Uint8Array>;
}

async function fetchJson(url: URL): Promise<unknown> {
  const response = await fetchFrom(url);
  try {
    return await response.json();
  } catch {
    throw new Refusal(`${url} does not answer with JSON. Check the address.`);
  }
}

async function fetchFrom(url: URL): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetchOnce(url);
    if (response.ok) return response;
    if (attempt === attempts || ![429, 502, 503].includes(response.status)) throw new Refusal(`${url} answers with ${response.status}. Check the address, or try again later.`);
    const seconds = Number(response.headers.get('retry-after')) || 2 ** attempt;
    await wait(1000 * Math.min(seconds, timeoutSeconds));
  }
}

async function fetchOnce(url: URL): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(1000 * timeoutSeconds), headers: { accept: 'application/json, application/x-ndjson, text/csv' } });
  } catch (error) {
    throw new Refusal(`${url} cannot be reached (${codeOf(error)}). Check the address and the connection.`);
  }
}

async function readCheckpoints(place: string, folder: string): Promise<Checkpoint[]> {
  const value = await readJson(place, folder);
  const list: unknown = Object(value).checkpoints ?? [value];
  const parsed = checkpointSchema.array().min(1).safeParse(list);
  if (!parsed.success) throw new Refusal(`${place} holds no checkpoint. Name a checkpoint, or the answer of /api/ledger/checkpoint, as it was kept.`);
  return parsed.data;
}

async function readJson(place: string, folder: string): Promise<unknown> {
  const url = urlOf(place);
  if (url) return fetchJson(url);
  const file = path.resolve(folder, place);
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Refusal(error instanceof SyntaxError ? `${file} is not JSON. Name a checkpoint as it was kept.` : `${file} cannot be read (${codeOf(error)}). Check the path and its permissions.`);
  }
}

/** The code of an error of the system or its cause, such as ENOENT; else its name. */
function codeOf(error: unknown): string {
  const { code, name, cause } = error as { code?: string; name?: string; cause?: unknown };
  return code ?? (cause ? codeOf(cause) : (name ?? 'unknown'));
}

function progress(): (entries: number) => void {
  let shownAt = 0;
  return (entries) => {
    const now = performance.now();
    if (now - shownAt < (process.stderr.isTTY ? 100 : 5_000)) return;
    shownAt = now;
    const line = `  ${entries.toLocaleString('en-GB')} entries checked`;
    process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
  };
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
