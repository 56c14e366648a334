import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ledgerPageQuerySchema, ledgerPageSchema } from '@/lib/record/schema';
import { ledgerFileFormats, ledgerFormat } from '@/lib/record/schema/entries';
import { main } from '@/scripts/ledger-verify';
import { exportText, importSigner, makeLedger, otherJwk, portfolioRecordsOf, recordsOf, rfcJwk } from './ledger';

const making = importSigner(rfcJwk).then(async (signer) => ({
  signer,
  ledger: await makeLedger(signer, { tips: 20, checkpointEvery: 6 }),
}));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the command; gives its exit code and what it wrote. */
async function run(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const out = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const error = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const code = await main(args, folder);
    const written = (spy: typeof out) => spy.mock.calls.map(([text]) => String(text)).join('');
    return { code, out: written(out), error: written(error) };
  } finally {
    out.mockRestore();
    error.mockRestore();
  }
}

const save = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text);
  return name;
};

/** A site that serves its ledger in pages of ten entries, and once says that it is busy. */
async function withSite<T>(
  visit: (site: string, requests: string[]) => Promise<T>,
  answers: Record<string, string> = {},
): Promise<T> {
  const { signer, ledger } = await making;
  const requests: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    requests.push(request.url ?? '');
    if (requests.length === 2) return response.writeHead(429, { 'retry-after': '0.05' }).end();
    const own = answers[pathname];
    if (own !== undefined) return response.end(own);
    if (pathname === '/api/ledger/checkpoint')
      return response.end(
        JSON.stringify({ format: ledgerFormat, keys: [signer.key], checkpoints: ledger.checkpoints }),
      );
    if (pathname !== '/api/ledger/entries') return response.writeHead(404).end();
    const { after } = ledgerPageQuerySchema.parse(Object.fromEntries(searchParams));
    const items = ledger.entries.slice(after, after + 10);
    return response.end(
      JSON.stringify(ledgerPageSchema.parse({ items, next: after + 10 < ledger.entries.length ? after + 10 : null })),
    );
  };
  const server: Server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('npm run ledger:verify', () => {
  it.each(ledgerFileFormats)('verifies a file in %s and exits with 0', async (format) => {
    const { signer, ledger } = await making;
    const file = save(`ledger.${format}`, await exportText(recordsOf(ledger, [signer.key]), format));
    const { code, out } = await run(file, '--key', signer.keyId);
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(`^Verified: ${ledger.entries.length} entries, none changed, missing or out of order\\.\n`),
    );
    expect(out).toContain(`The signing key is ${signer.keyId}, which you named as trusted.`);
  });

  it('verifies the export of a portfolio', async () => {
    const { signer, ledger } = await making;
    const { code, out } = await run(
      save('ann.csv', await exportText(await portfolioRecordsOf(ledger, 'ann', signer.key), 'csv')),
    );
    expect(code).toBe(0);
    expect(out).toContain('This is the record of ann alone');
    expect(out).toContain('named by the export itself');
  });

  it('follows the pages of a site, and tries again when the site is busy', async () => {
    const { ledger } = await making;
    await withSite(async (site, requests) => {
      for (const place of [site, `${site}/`, `${site}/api/ledger/entries?limit=3`]) {
        const { code, out } = await run(place);
        expect(code).toBe(0);
        expect(out).toContain(`Verified: ${ledger.entries.length} entries`);
      }
      expect(requests.filter((request) => request.startsWith('/api/ledger/entries?after=10&'))).toHaveLength(3);
    });
  });

  it('verifies an export on a site', async () => {
    const { signer, ledger } = await making;
    const text = await exportText(recordsOf(ledger, [signer.key]), 'ndjson');
    await withSite(async (site) => expect(await run(`${site}/ledger.ndjson`)).toMatchObject({ code: 0 }), {
      '/ledger.ndjson': text,
    });
  });

  it('holds the ledger against a kept checkpoint, from a file or a site', async () => {
    const { signer, ledger } = await making;
    const forged = await makeLedger(signer, { tips: 20, checkpointEvery: 6, seed: 93 });
    const file = save('forged.json', await exportText(recordsOf(forged, [signer.key]), 'json'));
    const kept = save('kept.json', JSON.stringify(ledger.checkpoints[0]));
    expect((await run(file)).code).toBe(0);
    const { code, out } = await run(file, '--checkpoint', kept);
    expect(code).toBe(1);
    expect(out).toMatch(/^Not verified\. Two signed checkpoints at entry \d+ contradict each other/);
    await withSite(async (site) =>
      expect(await run(file, '--checkpoint', `${site}/api/ledger/checkpoint`)).toMatchObject({ code: 1 }),
    );
  });

  it('exits with 1 and one sentence on what is wrong with an altered file', async () => {
    const { signer, ledger } = await making;
    const text = await exportText(recordsOf(ledger, [signer.key]), 'ndjson');
    const { code, out } = await run(
      save('altered.ndjson', text.replace('"oddsThousandths":1910', '"oddsThousandths":1911')),
    );
    expect(code).toBe(1);
    expect(out).toMatch(/^Not verified\. Entry \d+ does not have the hash of its content/);
  });

  it.each<[string, string[], string]>([
    ['nothing is named', [], 'Name the ledger to verify.\n\nUsage: npm run ledger:verify'],
    ['two things are named', ['a', 'b'], 'Name one ledger only.'],
    ['an option is unknown', ['a', '--quick'], "Unknown option '--quick'"],
    [
      'the file is missing',
      ['missing.json'],
      'missing.json cannot be read (ENOENT). Check the path and its permissions.',
    ],
    ['the file is a folder', ['.'], 'cannot be read (EISDIR)'],
    ['the checkpoint is missing', ['a', '--checkpoint', 'missing.json'], 'missing.json cannot be read (ENOENT)'],
  ])('says what to do when %s', async (_, args, sentence) => {
    const { code, out, error } = await run(...args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toContain(`Error: `);
    expect(error).toContain(sentence);
  });

  it('says what to do when the site is down', async () => {
    const site = await withSite(async (address) => address);
    expect((await run(site)).error).toBe(
      `Error: ${site}/api/ledger/checkpoint cannot be reached (ECONNREFUSED). Check the address and the connection.\n`,
    );
  });

  it('says what to do when an answer or a checkpoint is something else', async () => {
    const wrong = save('wrong.json', JSON.stringify({ checkpoints: [] }));
    const broken = save('broken.json', '{');
    expect((await run('a', '--checkpoint', wrong)).error).toContain('wrong.json holds no checkpoint.');
    expect((await run('a', '--checkpoint', broken)).error).toContain('broken.json is not JSON.');
    await withSite(async (site) =>
      expect((await run(`${site}/missing.csv`)).error).toContain('/missing.csv answers with 404.'),
    );
    await withSite(async (site) => expect((await run(site)).error).toContain('does not answer with JSON'), {
      '/api/ledger/checkpoint': '<html>',
    });
    await withSite(
      async (site) =>
        expect((await run(site)).out).toContain('The checkpoint call: does not answer with keys and checkpoints'),
      { '/api/ledger/checkpoint': '{}' },
    );
    await withSite(async (site) => expect((await run(site)).out).toContain('which would never end'), {
      '/api/ledger/entries': '{"items":[],"next":1}',
    });
    await withSite(async (site) => expect((await run(site)).out).toContain('does not answer with a page of entries'), {
      '/api/ledger/entries': '[]',
    });
  });

  it('does not trust a key that was not named', async () => {
    const { signer, ledger } = await making;
    const { keyId } = await importSigner(otherJwk);
    const { code, out } = await run(
      save('ledger.json', await exportText(recordsOf(ledger, [signer.key]), 'json')),
      '--key',
      keyId,
    );
    expect(code).toBe(1);
    expect(out).toContain(`is signed by the key ${signer.keyId}, which is not one that you trust`);
  });
});
