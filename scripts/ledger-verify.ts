import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  isTlogProof,
  type LedgerItem,
  readLedger,
  readLedgerPages,
  reportSentences,
  verifyLedger,
} from '@/lib/record/rules';
import { RecordFold } from '@/lib/stats/rules';
import { readConsistencies, readKept, readKeys, readWitnesses } from './verify/known';
import { verifyProofs } from './verify/proofs';
import {
  bytesOfFile,
  bytesOfUrl,
  codeOf,
  fetchJson,
  fetchPage,
  findJson,
  paced,
  Refusal,
  urlOf,
} from './verify/reading';
import { type Asking, compareSite, folded } from './verify/site';

const usage = `Usage: npm run ledger:verify -- <url|file> [--key <id|vkey>]… [--checkpoint <url|file>]… [--consistency <url|file>]… [--witness <vkey>]… [--quorum <n>] [--site [--rate <n>]]

  <url>          a site (https://tipledger.example), whose whole ledger is read, or an export or proof on it
  <file>         an export in JSON, NDJSON or CSV, or a .tlog-proof
  --key          a key that you trust: its id, or as a key of notes (vkey) with the name of the log; without it, the keys that the export names
  --checkpoint   a checkpoint or signed note that you kept from earlier, which the ledger must still agree with
  --consistency  a site, or an answer of its /api/ledger/consistency, that proves how a kept checkpoint leads to a portfolio's export or a proof
  --witness      the key of a witness that you trust; a checkpoint must bear its cosignature
  --quorum       how many of the witnesses must have signed; all without it
  --site         of a site: whether its statistics, months, breakdowns, comparison, tips and their pages are what its record says
  --rate         how many requests a second the site is asked with --site: 10 without it`;

// Meanwhile every instance of a site has heard of what was recorded.
const restMilliseconds = 5_000;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** Product §6: verifies a ledger, an export of it or a proof, and prints what it found; returns the exit code: 0 when all holds, 1 when something does not or cannot be read. */
export async function main(args: string[], folder: string): Promise<number> {
  try {
    const { source, ...given } = readArguments(args);
    const keys = await readKeys(given.keys);
    const witnesses = await readWitnesses(given.witnesses, given.quorum);
    const kept = await readKept(given.checkpoints, folder);
    const url = urlOf(source);
    const askConsistency = await readConsistencies([...given.consistencies, ...(url ? [url.origin] : [])], folder);
    const bytes =
      url && ledgerCallsAt(url)
        ? null
        : await opened(url ? bytesOfUrl(url) : bytesOfFile(path.resolve(folder, source)));
    const proofs = bytes && (await proofsIn(bytes));
    if (proofs) {
      const finding = await verifyProofs(proofs, { ...kept, noteKeys: keys.noteKeys, witnesses, askConsistency });
      for (const sentence of finding.sentences) process.stdout.write(`${sentence}\n`);
      return finding.ok ? 0 : 1;
    }
    const fold = new RecordFold();
    const items = bytes ? readLedger(bytes.all()) : itemsAt(source);
    const report = await verifyLedger(given.site ? folded(items, fold) : items, {
      ...kept,
      trustedKeyIds: keys.ids.length > 0 ? keys.ids : null,
      trustedNoteKeys: keys.noteKeys.length > 0 ? keys.noteKeys : null,
      witnesses,
      askConsistency,
      onProgress: progress(),
    });
    endProgress();
    for (const sentence of reportSentences(report)) process.stdout.write(`${sentence}\n`);
    if (!report.ok || !given.site || !url) return report.ok ? 0 : 1;
    const shown = await compareSite(fold, asking(url.origin, given.rate));
    endProgress();
    for (const line of shown.lines) process.stdout.write(`${line}\n`);
    return shown.ok ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    endProgress();
    say(`Error: ${error.message}`);
    return 1;
  }
}

type Arguments = {
  source: string;
  keys: string[];
  checkpoints: string[];
  consistencies: string[];
  witnesses: string[];
  quorum: string | undefined;
  site: boolean;
  rate: number;
};

function readArguments(args: string[]): Arguments {
  const many = { type: 'string', multiple: true } as const;
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        key: many,
        checkpoint: many,
        consistency: many,
        witness: many,
        quorum: { type: 'string' },
        site: { type: 'boolean' },
        rate: { type: 'string' },
      },
    });
    const [source] = positionals;
    if (source === undefined || positionals.length > 1)
      throw new Refusal(`${source === undefined ? 'Name the ledger to verify.' : 'Name one ledger only.'}\n\n${usage}`);
    const url = urlOf(source);
    if (values.site && !(url && ledgerCallsAt(url)))
      throw new Refusal(`--site compares a site with its whole ledger: name the site.\n\n${usage}`);
    const rate = Number(values.rate ?? '10');
    if (!(rate > 0 && rate <= 1000))
      throw new Refusal(`--rate is a number of requests a second, up to 1000.\n\n${usage}`);
    return {
      source,
      rate,
      site: values.site ?? false,
      keys: values.key ?? [],
      checkpoints: values.checkpoint ?? [],
      consistencies: values.consistency ?? [],
      witnesses: values.witness ?? [],
      quorum: values.quorum,
    };
  } catch (error) {
    if (!codeOf(error).startsWith('ERR_PARSE_ARGS')) throw error;
    throw new Refusal(`${(error as Error).message}\n\n${usage}`);
  }
}

/** The calls of the ledger when the address is a site or one of them, null when it is an export. */
function ledgerCallsAt({ origin, pathname }: URL): string | null {
  return /^\/(api\/ledger(\/(entries|checkpoint)?)?)?$/.test(pathname) ? `${origin}/api/ledger/` : null;
}

function itemsAt(source: string): AsyncIterable<LedgerItem> {
  const calls = ledgerCallsAt(new URL(source)) ?? source;
  return readLedgerPages((address) => fetchJson(new URL(address, calls)));
}

type Opened = { first: Uint8Array; all: () => AsyncGenerator<Uint8Array> };

/** Bytes whose first piece was read, and which can be read once from the start. */
async function opened(bytes: AsyncGenerator<Uint8Array>): Promise<Opened> {
  const { value, done } = await bytes.next();
  const first = done ? new Uint8Array() : value;
  return {
    first,
    all: async function* () {
      yield first;
      yield* bytes;
    },
  };
}

/** The text of a file of proofs, null for any other. */
async function proofsIn({ first, all }: Opened): Promise<string | null> {
  if (!isTlogProof(new TextDecoder().decode(first.subarray(0, 64)))) return null;
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of all()) text += decoder.decode(piece, { stream: true });
  return text;
}

function asking(origin: string, rate: number): Asking {
  const turn = paced(rate);
  let shownAt = 0;
  return {
    ask: async (address) => {
      await turn();
      return findJson(new URL(address, origin));
    },
    askPage: async (address) => {
      await turn();
      return fetchPage(new URL(address, origin));
    },
    rest: () => wait(restMilliseconds),
    onProgress: (tips, of) => {
      const now = performance.now();
      if (now - shownAt < (process.stderr.isTTY ? 100 : 5_000)) return;
      shownAt = now;
      const line = `  ${tips.toLocaleString('en-GB')} of ${of.toLocaleString('en-GB')} tips compared`;
      process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
    },
  };
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
