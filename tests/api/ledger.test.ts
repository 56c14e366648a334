import * as portfolioLedger from '@/app/portfolio/[reference]/ledger/route';
import { growTree, problemOfTip, readLedger, readLedgerPages, treeRoot, verifyLedger } from '@/lib/record/rules';
import { isConsistent } from '@/lib/record/rules/tree';
import type { ConsistencyProof, LedgerEntry, TipProof } from '@/lib/record/schema';
import { entryKinds, ledgerFileFormats } from '@/lib/record/schema/entries';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { fillRecord, type Recorded } from '../support/record';
import { type Ask, describeCall, doors, hostileNumbers, hostileTexts, request, type Sent } from '../support/request';
import { worldNow } from '../support/world';

let recorded: Recorded;

onTestDatabase();
beforeAll(async () => {
  standAt(worldNow);
  recorded = await fillRecord();
});

type Page = { items: LedgerEntry[]; next: number | null };

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const verifyText = (text: string) => verifyLedger(readLedger(bytesOf(text)));

describeCall('/ledger/entries', 'GET', (ask) => {
  const pageOf = async (query: Record<string, string | number> = {}) => (await ask({ query })).view as Page;

  test('answers with the entries from the first on, each following on the one before', async () => {
    const { items, next } = await pageOf();
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, index) => index + 1));
    expect(items.slice(1).every(({ previousHash }, index) => previousHash === items[index]?.hash)).toBe(true);
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(entryKinds));
    expect(next).toBeNull();
  });

  test.each([1, 2, 3, 1000])('gives the same entries in pages of %d', async (limit) => {
    const whole = (await pageOf()).items;
    const found: LedgerEntry[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: Page = await pageOf({ after, limit });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      found.push(...page.items);
      after = page.next;
    }
    expect(found).toEqual(whole);
  });

  test('has nothing after the end, however far', async () => {
    for (const after of ['1000', '999999999999999']) expect(await pageOf({ after })).toEqual({ items: [], next: null });
  });

  test.each(hostileNumbers)('refuses %s as a place or a limit and names the field', async (_, text) => {
    for (const field of ['after', 'limit'])
      expect(Object.keys((await ask({ query: { [field]: text } })).refusal?.fields ?? {})).toEqual([field]);
  });

  test.each(['0', '1001'])('refuses a limit of %s', async (limit) => {
    expect((await ask({ query: { limit } })).refusal?.fields).toEqual({ limit: 'limit must be from 1 to 1000' });
  });

  test('says nothing of a personal portfolio', async () => {
    const { text } = await ask();
    expect(text).toContain(recorded.ann);
    for (const word of [recorded.carol, recorded.carols]) expect(text).not.toContain(word);
  });

  test('keeps a hidden tip’s selection out of the entry that commits it', async () => {
    const committed = (await pageOf()).items.find(
      (entry) => entry.kind === 'tip-committed' && entry.tip === recorded.hidden,
    );
    expect(Object.keys(committed?.content ?? {}).toSorted()).toEqual(['commitment', 'opensAt']);
  });
});

describeCall('/ledger/checkpoint', 'GET', (ask) => {
  test('answers with public keys and the last checkpoint of each day, latest last', async () => {
    const { view, text } = await ask();
    const { keys, checkpoints } = view as {
      keys: { kid: string }[];
      checkpoints: { sequence: number; at: string; keyId: string }[];
    };
    expect(checkpoints.map(({ at }) => at.slice(0, 10))).toEqual(['2026-03-10', '2026-03-11']);
    expect(checkpoints.every(({ keyId }) => keys.some(({ kid }) => kid === keyId))).toBe(true);
    expect(text).not.toContain('"d"');
  });

  test('is enough, with the pages of entries, to verify the whole ledger', async () => {
    const call = async (address: string) => {
      const [name = '', query = ''] = address.split('?');
      const path = `/ledger/${name}`;
      const door = doors[path]?.GET;
      if (!door) throw new Error(`There is no call ${path}.`);
      return (await request(door, path, { query })).view;
    };
    expect(await verifyLedger(readLedgerPages(call))).toMatchObject({ ok: true, checkpoints: 2, firstProblem: null });
  });
});

describeCall('/ledger/tip/{tipReference}', 'GET', (ask) => {
  const proofOf = async (tipReference: string) => (await ask({ params: { tipReference } })).view as TipProof;

  test('answers with every entry of the tip, proved up to the newest checkpoint where that covers it', async () => {
    const { entries, checkpoint } = await proofOf(recorded.open);
    expect(entries.map(({ entry, proof }) => [entry.kind, proof?.size ?? null])).toEqual([
      ['tip-published', checkpoint?.sequence],
      ['tip-settled', checkpoint?.sequence],
      ['tip-corrected', null],
    ]);
  });

  test('proves every tip', async () => {
    for (const tip of [recorded.open, recorded.hidden]) expect(await problemOfTip(await proofOf(tip))).toBeNull();
  });

  test('knows no tip of a personal portfolio', async () => {
    expect((await ask({ params: { tipReference: recorded.carols } })).status).toBe(404);
  });

  test('proves nothing any more when an entry, its proof, the checkpoint or the tip is another', async () => {
    const [proof, other] = [await proofOf(recorded.hidden), await proofOf(recorded.open)];
    const [first, second] = [proof.entries[0]!, proof.entries[1]!];
    const altered: [TipProof, string][] = [
      [{ ...proof, tip: other.tip }, 'unknown-tip'],
      [{ ...proof, entries: [{ ...first, entry: { ...first.entry, at: '2026-03-10T11:00:00.000Z' } }] }, 'hash'],
      [{ ...proof, entries: [{ ...first, proof: null }] }, 'proof'],
      [{ ...proof, entries: [{ ...first, proof: second.proof }] }, 'proof'],
      [{ ...proof, entries: proof.entries.toReversed() }, 'unknown-tip'],
      [{ ...proof, entries: [first, first] }, 'sequence'],
      [{ ...proof, checkpoint: proof.checkpoint && { ...proof.checkpoint, root: first.entry.hash } }, 'signature'],
      [{ ...proof, keys: [] }, 'key'],
    ];
    for (const [answer, kind] of altered) expect((await problemOfTip(answer))?.kind).toBe(kind);
  });

  test('answers 404 for a tip that is not on the record', async () => {
    const { status, refusal } = await ask({ params: { tipReference: 'zzzzzzzzzz' } });
    expect([status, refusal?.message]).toEqual([
      404,
      'Not Found. There is no such tip on the record. Take its reference from the list of entries.',
    ]);
  });

  test.each(hostileTexts)('refuses %s as a tip', async (_, tipReference) => {
    expect(Object.keys((await ask({ params: { tipReference } })).refusal?.fields ?? {})).toEqual(['tipReference']);
  });
});

function refusesOtherFormats(ask: Ask, params: () => Sent['params'] = () => ({})): void {
  test.each(['', 'xml', 'CSV', 'csv ', 'json,csv', '__proto__'])('refuses %j as a format', async (format) => {
    expect((await ask({ query: { format }, params: params() ?? {} })).refusal?.fields).toEqual({
      format: "format must be 'json', 'ndjson' or 'csv', given once",
    });
  });

  test('tells HEAD what the file is and sends none of it', async () => {
    const [get, head] = [await ask({ params: params() ?? {} }), await ask({ params: params() ?? {} }, 'HEAD')];
    expect([head.text, head.headers.get('content-disposition')]).toEqual(['', get.headers.get('content-disposition')]);
  });
}

describeCall('/ledger/export', 'GET', (ask) => {
  test.each(ledgerFileFormats)('answers with the whole ledger as %s, which verifies by itself', async (format) => {
    const { headers, text } = await ask({ query: { format } });
    expect(headers.get('content-disposition')).toBe(`attachment; filename="tipledger-record.${format}"`);
    expect(await verifyText(text)).toMatchObject({ ok: true, portfolio: null, checkpoints: 2 });
  });

  test('is JSON unless told', async () => {
    expect((await ask()).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  refusesOtherFormats(ask);
});

describe('GET /portfolio/{reference}/ledger', () => {
  const ask: Ask = (sent, method = 'GET') =>
    request(portfolioLedger.GET, '/portfolio/{reference}/ledger', sent, method);

  test.each(ledgerFileFormats)(
    'answers with the record of a portfolio as %s, which verifies by itself',
    async (format) => {
      const { headers, text } = await ask({ params: { reference: recorded.ann }, query: { format } });
      expect(headers.get('content-disposition')).toBe(`attachment; filename="tipledger-record-ann-football.${format}"`);
      expect(await verifyText(text)).toMatchObject({
        ok: true,
        portfolio: 'ann-football',
        counts: { published: 2, committed: 1, opened: 1, settled: 3, corrected: expect.any(Number) },
      });
      expect(text).not.toContain(recorded.carols);
    },
  );

  test('answers 404 for a personal portfolio as for one that does not exist', async () => {
    const [personal, none] = [
      await ask({ params: { reference: recorded.carol } }),
      await ask({ params: { reference: 'nobody' } }),
    ];
    expect([personal.status, none.status]).toEqual([404, 404]);
    expect(personal.text).toBe(none.text);
  });

  test.each(hostileTexts)('refuses %s as a portfolio', async (_, reference) => {
    expect(Object.keys((await ask({ params: { reference } })).refusal?.fields ?? {})).toEqual(['reference']);
  });

  refusesOtherFormats(ask, () => ({ reference: recorded.ann }));
});

describeCall('/ledger/consistency', 'GET', (ask) => {
  test('proves that every later tree begins with every earlier one', async () => {
    const { items } = (await request(doors['/ledger/entries']!.GET!, '/ledger/entries')).view as Page;
    const hashes = items.map(({ hash }) => hash);
    const rootAt = async (size: number) => treeRoot((await growTree([], hashes.slice(0, size))).frontier);
    for (const [from, to] of [
      [1, 2],
      [1, hashes.length],
      [3, 7],
      [hashes.length, hashes.length],
      [0, 4],
    ] as const) {
      const { view } = await ask({ query: { from, to } });
      expect(await isConsistent(view as ConsistencyProof, await rootAt(from), await rootAt(to))).toBe(true);
    }
  });

  test('has none of a size that there is not, or of the larger first', async () => {
    expect((await ask({ query: { from: 1, to: 100_000 } })).status).toBe(404);
    expect((await ask({ query: { from: 0, to: 0 } })).status).toBe(404);
    expect((await ask({ query: { from: 3, to: 2 } })).refusal?.fields).toEqual({ from: 'must not be more than to' });
  });

  test.each([...hostileNumbers, ['a size that no log has', '2147483648'] as const])(
    'refuses %s as a size',
    async (_, text) => {
      for (const [from, to] of [
        [text, '1'],
        ['0', text],
      ] as const)
        expect(Object.keys((await ask({ query: { from, to } })).refusal?.fields ?? {})).toHaveLength(1);
    },
  );
});
