import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { type Benchmark, readWholeNumbers, Refusal, say, table } from './benchmark';
import { onDemoWorld, startProgram } from './servers';

const mostScriptBytes = 15 * 1024;
const mostBytes = 60 * 1024;
const mostBlockedMilliseconds = 30;
const leastScore = 100;

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

type Category = (typeof categories)[number];

function sizeOf(
  port: number,
  requested: string,
): Promise<{ bytes: number; encoding: string | undefined; text: string }> {
  const ask = (
    encoding: string,
    onEnd: (body: Buffer, headers: http.IncomingHttpHeaders) => void,
    onError: (error: Error) => void,
  ) =>
    http
      .get({ host: '127.0.0.1', port, path: requested, headers: { 'accept-encoding': encoding } }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => onEnd(Buffer.concat(chunks), response.headers));
      })
      .on('error', onError);
  return new Promise((resolve, reject) => {
    ask(
      'br',
      (small, headers) =>
        ask(
          'identity',
          (whole) =>
            resolve({ bytes: small.length, encoding: headers['content-encoding'], text: whole.toString('utf8') }),
          reject,
        ),
      reject,
    );
  });
}

/** The scripts that the page asks for by itself; browsers of today leave out those marked nomodule. */
const scriptsOf = (html: string) =>
  [
    ...new Set(
      [...html.matchAll(/<script\b[^>]*>/g)]
        .filter(([tag]) => !/\bnomodule\b/i.test(tag))
        .flatMap(([tag]) => /\bsrc="([^"]+)"/.exec(tag)?.[1] ?? []),
    ),
  ].map((src) => src.replaceAll('&amp;', '&'));

async function choosePages(port: number): Promise<[name: string, path: string][]> {
  const linkOn = async (requested: string, pattern: RegExp) => {
    const found = pattern.exec((await sizeOf(port, requested)).text)?.[1];
    if (found === undefined) throw new Error(`${requested} links to no ${pattern.source}.`);
    return found;
  };
  const tip = await linkOn('/', /href="(\/tipster\/[a-z0-9-]+\/tips\/[a-z0-9]{10})"/);
  return [
    ['home', '/'],
    ['sport', '/football'],
    ['fixture', await linkOn('/football', /href="(\/fixture\/[a-z0-9-]+)"/)],
    ['tipster', tip.replace(/\/tips\/.*/, '')],
    ['tip', tip],
    ['review', await linkOn('/bookmaker-reviews', /href="(\/bookmaker-reviews\/[a-z0-9-]+)"/)],
  ];
}

async function bytesOf(port: number, sources: readonly string[]): Promise<number> {
  const sizes = await Promise.all(sources.map((src) => sizeOf(port, src)));
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What the files come to once they have their smallest bytes, which they get behind the first answers. */
async function settledBytes(port: number, sources: readonly string[]): Promise<number> {
  let before = -1;
  for (let same = 0; same < 10; ) {
    const bytes = await bytesOf(port, sources);
    same = bytes === before ? same + 1 : 0;
    before = bytes;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return before;
}

/** Of one run: the scores of 100, how long the main thread was blocked in milliseconds, how far the layout moved, and what came over the network but for pictures and fonts, in bytes. */
type Scores = Record<Category, number> & {
  blocked: number;
  shift: number;
  bytes: number;
  scripts: string[];
  failed: string[];
};

type Report = {
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    {
      score: number | null;
      title: string;
      scoreDisplayMode: string;
      displayValue?: string;
      numericValue?: number;
      details?: { items?: { resourceType?: string; url?: string; transferSize?: number }[] };
    }
  >;
};

// Not in package.json: it brings 76 packages of 115 MB, which nothing but this benchmark needs. npx keeps what it has fetched.
const lighthouse = 'lighthouse@13.5.0';

// What Lighthouse says when the browser, not the page, was the matter.
const again = 'Please run Lighthouse again';

async function judge(chrome: string, url: string, file: string, triesLeft = 2): Promise<Scores> {
  const flags =
    '--headless=new --no-sandbox --disable-dev-shm-usage --disable-quic --disable-background-networking --disable-component-update';
  const args = [
    '--yes',
    lighthouse,
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${categories.join(',')}`,
    `--chrome-flags=${flags}`,
  ];
  const child = spawn('npx', args, {
    env: { ...process.env, CHROME_PATH: chrome },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0 && triesLeft > 0 && said.includes(again)) return judge(chrome, url, file, triesLeft - 1);
  if (code !== 0) throw new Error(`Lighthouse failed on ${url}:\n${said.slice(-2_000)}`);
  const { categories: judged, audits } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const score = (category: Category) => Math.round((judged[category].score ?? 0) * 100);
  const requests = audits['network-requests']?.details?.items ?? [];
  const scripts = requests.flatMap(({ resourceType, url: from = '' }) =>
    resourceType === 'Script' ? [new URL(from).pathname] : [],
  );
  const bytes = requests.reduce(
    (sum, { resourceType = '', url: from = '', transferSize = 0 }) =>
      ['Image', 'Font'].includes(resourceType) || /\.(svg|png|ico)$/.test(from) ? sum : sum + transferSize,
    0,
  );
  const failed = categories.flatMap((category) =>
    judged[category].auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id];
      return weight > 0 && audit && audit.score !== null && audit.score < 0.9
        ? [`${category}: ${audit.title}${audit.displayValue ? ` (${audit.displayValue})` : ''}`]
        : [];
    }),
  );
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    blocked: audits['total-blocking-time']?.numericValue ?? 0,
    shift: audits['cumulative-layout-shift']?.numericValue ?? 0,
    bytes,
    scripts: [...new Set(scripts)],
    failed,
  };
}

const kibibytes = (bytes: number) => (bytes / 1024).toFixed(1);

async function judgeMiddle(chrome: string, url: string, folder: string, runs: number): Promise<Scores> {
  const all: Scores[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await judge(chrome, url, path.join(folder, 'report.json')));
  const [middle] = all.toSorted((a, b) => a.performance - b.performance).slice(Math.floor(runs / 2));
  if (!middle) throw new Error('Lighthouse gave no report.');
  return middle;
}

/** What the pages of guests ship, and what Lighthouse says of them on a telephone. */
export const pages: Benchmark = {
  name: 'pages',
  title:
    'the JavaScript that guest pages ship (brotli), at once and in all while nobody touches them, and Lighthouse’s scores of them for mobile',
  options: ['--runs <number> of Lighthouse a page; the one of middling performance counts (3)'],
  run: (args) => {
    const { runs } = readWholeNumbers(args, { runs: { least: 1, most: 25, fallback: 3 } });
    const chrome = process.env.CHROME_PATH ?? process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
    if (!existsSync(chrome))
      throw new Refusal(`There is no browser at ${chrome}. Set CHROME_PATH to the program of a Chromium or Chrome.`);
    return onDemoWorld(async () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'tipledger-pages-'));
      const program = await startProgram();
      const rows = [['', 'script KiB', 'with what comes later', 'KiB in all', 'blocked ms', 'shift', ...categories]];
      let missed = 0;
      try {
        say(`Starting ${lighthouse}, which npx fetches the first time…`);
        // The program has work of its own in its first minute, and the browser starts for the first time: this run counts for nothing.
        await judge(chrome, `http://127.0.0.1:${program.port}/`, path.join(folder, 'report.json'));
        for (const [name, requested] of await choosePages(program.port)) {
          say(`${name}: ${requested}`);
          await settledBytes(program.port, [requested]);
          const first = await settledBytes(program.port, scriptsOf((await sizeOf(program.port, requested)).text));
          const scores = await judgeMiddle(chrome, `http://127.0.0.1:${program.port}${requested}`, folder, runs);
          const all = await settledBytes(program.port, scores.scripts);
          if (
            Math.max(first, all) > mostScriptBytes ||
            scores.bytes > mostBytes ||
            scores.blocked > mostBlockedMilliseconds ||
            scores.shift > 0 ||
            categories.some((category) => scores[category] < leastScore)
          )
            missed += 1;
          for (const failure of scores.failed) say(`  ${failure}`);
          rows.push([
            name,
            kibibytes(first),
            kibibytes(all),
            kibibytes(scores.bytes),
            scores.blocked.toFixed(0),
            scores.shift.toFixed(3),
            ...categories.map((category) => String(scores[category])),
          ]);
        }
      } finally {
        await program.end();
        rmSync(folder, { recursive: true, force: true });
      }
      const [one = 0] = os.loadavg();
      process.stdout.write(
        `${table(rows)}\nTargets: at most ${kibibytes(mostScriptBytes)} KiB of script, ${kibibytes(mostBytes)} KiB in all without pictures and fonts, ${mostBlockedMilliseconds} ms blocked, no shift, ${leastScore} by each score. ${missed === 0 ? 'All met.' : `Missed on ${missed} pages.`} Load at the end ${one.toFixed(1)}.\n`,
      );
      return missed === 0 ? 0 : 1;
    });
  },
};
