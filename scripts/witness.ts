import { parseArgs } from 'node:util';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { vkeyOf } from '@/lib/record/rules';
import { Refusal } from './verify/reading';
import { lookAt } from './witness/follow';
import { type KnownLog, readSigner, WitnessState } from './witness/state';
import { serveWitness } from './witness/serve';

const usage = `Usage: npm run witness -- --key FILE --state FILE [--name NAME] [--log "<vkey>"]… [--listen HOST:PORT] [--follow URL]… [--once]

  --key     the file of the witness's key; it is made when there is none, under the name given with --name
  --state   the file that keeps the newest checkpoint of each log, as it was cosigned
  --log     the key of a log to cosign for, as its page about the record shows it; a URL after it is followed
  --listen  answers add-checkpoint (c2sp.org/tlog-witness) there
  --follow  asks this Tipledger every minute for its newest checkpoint and checks that it goes on from the last; its key is the one it names first, unless --log names it
  --once    follows once and ends: with 0 when all agrees, with 1 when not`;

const everyMilliseconds = 60_000;

const say = (line: string) => process.stdout.write(`${line}\n`);
const warn = (line: string) => process.stderr.write(`${line}\n`);

/** Product §14: a witness that anybody can run: it cosigns what goes on from what it saw, and says when a log does not; returns the exit code when it ends. */
export async function main(args: string[], folder: string, signal?: AbortSignal): Promise<number> {
  try {
    const given = readArguments(args);
    const signer = await readSigner(path.resolve(folder, given.key), given.name);
    const state = await WitnessState.open(path.resolve(folder, given.state), given.logs);
    say(`Witness ${vkeyOf(signer.key)}`);
    const server = given.listen === undefined ? null : await serveWitness(given.listen, signer, state, say);
    if (server) say(`Listening on ${server.address}`);
    const agrees = await followAll(
      [...given.follow, ...given.logs.flatMap(({ url }) => url ?? [])],
      given.once,
      signer,
      state,
      signal,
    );
    if (server && !signal?.aborted && !given.once) await ended(signal);
    await server?.close();
    return agrees ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    warn(`Error: ${error.message}`);
    return 1;
  }
}

async function followAll(
  sites: readonly string[],
  once: boolean,
  signer: Awaited<ReturnType<typeof readSigner>>,
  state: WitnessState,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (sites.length === 0) return true;
  for (let agrees = true; ; ) {
    for (const site of sites) {
      const found = await lookAt(site, signer, state);
      (found.agrees ? say : warn)(`${new Date().toISOString()} ${found.sentence}`);
      agrees &&= found.agrees;
    }
    if (once || signal?.aborted) return agrees;
    await wait(everyMilliseconds, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
}

function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener('abort', () => resolve());
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve());
  });
}

type Arguments = {
  key: string;
  state: string;
  name: string | undefined;
  logs: KnownLog[];
  listen: string | undefined;
  follow: string[];
  once: boolean;
};

function readArguments(args: string[]): Arguments & { logs: KnownLog[] } {
  const text = { type: 'string' } as const;
  const many = { type: 'string', multiple: true } as const;
  try {
    const { values } = parseArgs({
      args,
      options: { key: text, state: text, name: text, log: many, listen: text, follow: many, once: { type: 'boolean' } },
    });
    if (values.key === undefined || values.state === undefined)
      throw new Refusal(`Name the files of the key and of the state.\n\n${usage}`);
    if (values.listen === undefined && !values.follow && !values.log?.some((line) => line.trim().includes(' ')))
      throw new Refusal(`Say where to listen or what to follow.\n\n${usage}`);
    const logs = (values.log ?? []).map((line) => {
      const [vkey = '', url] = line.trim().split(/\s+/);
      return { vkey, url };
    });
    return {
      key: values.key,
      state: values.state,
      name: values.name,
      logs,
      listen: values.listen,
      follow: values.follow ?? [],
      once: values.once ?? false,
    };
  } catch (error) {
    if (error instanceof Refusal || !String((error as { code?: string }).code).startsWith('ERR_PARSE_ARGS'))
      throw error;
    throw new Refusal(`${(error as Error).message}\n\n${usage}`);
  }
}
