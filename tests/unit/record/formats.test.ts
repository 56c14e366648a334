import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { genesisHead } from '@/lib/record/rules';
import { csvColumns, csvHeader, csvRow, readCsvRow } from '@/lib/record/rules/csv';
import { maxLineLength } from '@/lib/record/rules/read-ledger';
import { ledgerFileFormats } from '@/lib/record/schema/entries';
import type { LedgerRecord } from '@/lib/record/schema/records';
import {
  dice,
  exportText,
  importSigner,
  itemsIn,
  makeLedger,
  otherJwk,
  portfolioRecordsOf,
  publicationAt,
  recordsOf,
  rfcJwk,
  sealEntry,
} from './ledger';

const signing = importSigner(rfcJwk);
const making = signing.then((signer) => makeLedger(signer, { tips: 30, checkpointEvery: 7 }));

async function bothExports(): Promise<LedgerRecord[][]> {
  const [{ key }, ledger] = [await signing, await making];
  const { key: other } = await importSigner(otherJwk);
  const countedLedger = await makeLedger(await signing, { tips: 12, checkpointEvery: 6, counted: true });
  const counted = await portfolioRecordsOf(countedLedger, 'ann', key);
  const vouched: LedgerRecord[] = [
    ...countedLedger.notes.map((note) => ({ note })),
    { consistency: await countedLedger.proveConsistency(3, countedLedger.entries.length) },
    { head: await countedLedger.headOf('ann') },
  ];
  const at = counted.findIndex((record) => 'proof' in record);
  return [
    recordsOf(ledger, [key, other]),
    await portfolioRecordsOf(ledger, 'ann', key),
    recordsOf({ entries: [], checkpoints: [] }, []),
    recordsOf(countedLedger, [key]),
    counted.toSpliced(at, 0, ...vouched),
  ];
}

async function recordsIn(text: string, pieceSize?: number): Promise<LedgerRecord[]> {
  return (await itemsIn(text, pieceSize)).map((item) => {
    if ('problem' in item) throw new Error(item.problem.sentence);
    return item.record;
  });
}

const problemIn = async (text: string | Uint8Array): Promise<string | undefined> => {
  const last = (await itemsIn(text)).at(-1);
  return last && 'problem' in last ? last.problem.sentence : undefined;
};

describe.each(ledgerFileFormats)('an export as %s', (format) => {
  it('is read back as the records that were written, wherever the bytes are cut', async () => {
    for (const records of await bothExports()) {
      const text = await exportText(records, format);
      for (const size of [65_536, 1000, 7]) expect(await recordsIn(text, size)).toEqual(records);
    }
  });

  it('is read with a byte order mark and other line ends', async () => {
    const [records = []] = await bothExports();
    const text = await exportText(records, format);
    const [unix, windows] = [text.replaceAll('\r\n', '\n'), text.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n')];
    for (const variant of [`\uFEFF${text}`, unix, windows]) expect(await recordsIn(variant)).toEqual(records);
  });

  it('that breaks off is not read as a whole', async () => {
    const [records = []] = await bothExports();
    const text = await exportText(records, format);
    const sentence = await problemIn(text.slice(0, -40));
    expect(sentence).toMatch(/^Line \d+: .*download(ed)? (it|the export) again|Download the export again\.$/);
  });
});

describe('JSON', () => {
  it('is one object with a list of each', async () => {
    const [records = []] = await bothExports();
    const { entries, checkpoints } = await making;
    const value = JSON.parse(await exportText(records, 'json')) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual([
      'format',
      'portfolio',
      'keys',
      'checkpoints',
      'notes',
      'consistencies',
      'heads',
      'proofs',
      'entries',
    ]);
    expect(value.entries).toEqual(entries);
    expect(value.checkpoints).toEqual(checkpoints);
  });

  it('is read however it is laid out', async () => {
    const [records = []] = await bothExports();
    const value: unknown = JSON.parse(await exportText(records, 'json'));
    expect(await recordsIn(JSON.stringify(value))).toEqual(records);
    expect(await recordsIn(JSON.stringify(value, null, 2))).toEqual(records);
  });

  it.each([
    [
      '{"format":"tipledger-ledger/1","portfolio":null,"keys":[],"checkpoints":[],"proofs":[],"entries":[],"entries":[]}',
      'The file: names a member of an object twice',
    ],
    [
      '{"format":"tipledger-ledger/1","portfolio":null,"keys":[],"checkpoints":[],"proofs":[]}',
      'The file: has no list of entries',
    ],
    [
      '{"format":"tipledger-ledger/1","portfolio":null,"keys":[],"checkpoints":[],"proofs":[],"entries":[],"more":1}',
      'The file: has a member "more"',
    ],
    [
      '{"format":"tipledger-ledger/2","portfolio":null,"keys":[],"checkpoints":[],"proofs":[],"entries":[{}]}',
      'entries[0]: kind: must be one of tip-published',
    ],
    [
      '{"format":"tipledger-ledger/1","portfolio":null,"keys":[],\n"checkpoints":[\n{"sequence":1,},\n],"proofs":[],"entries":[]}',
      'Line 3: is not JSON',
    ],
    ['{"format":', 'The file: is not JSON'],
  ])('such as %s is refused', async (text, sentence) => {
    expect(await problemIn(text)).toContain(sentence);
  });

  it('of a newer format says that a newer verifier is needed', async () => {
    const [item] = await itemsIn(
      '{"format":"tipledger-ledger/4","portfolio":null,"keys":[],"checkpoints":[],"proofs":[],"entries":[]}',
    );
    expect(item).toMatchObject({
      problem: { sentence: expect.stringContaining('a newer ledger needs a newer verifier') as string },
    });
  });
});

describe('any file', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'The file: is empty'],
    ['blank', ' \n\n', 'The file: is empty'],
    ['a web page', '<!doctype html>\n<title>404</title>', 'Line 1: "<!doctype html>" is neither the heading'],
    ['binary', Uint8Array.of(0x1f, 0x8b, 8, 0, 0xff), 'The file: is not UTF-8 text'],
    ['a list', '[]', 'Line 1: "[]" is neither'],
    ['another CSV', 'Div,Date\r\nE0,1\r\n', 'Line 1: "Div,Date" is neither'],
  ])('that is %s gets a clear word', async (_, content, sentence) => {
    expect(await problemIn(content)).toContain(sentence);
  });

  it('with an endless line is not kept in memory', async () => {
    const header = '{"format":"tipledger-ledger/1","portfolio":null}\n';
    expect(await problemIn(`${header}{"key":{${' '.repeat(maxLineLength)}`)).toBe(
      'Line 2: is too long for a record of the ledger; download the export again.',
    );
  });

  it('names the line of what is no record, not canonical, or has a field too many', async () => {
    const [records = []] = await bothExports();
    const lines = (await exportText(records, 'ndjson')).trimEnd().split('\n');
    const problemWith = async (change: (line: string) => string) =>
      problemIn(
        lines
          .map((line, index) => (index === 12 ? change(line) : line))
          .join('\n')
          .split('\n')
          .slice(0, 13)
          .join('\n'),
      );
    expect(await problemWith((line) => line.replace('{"entry"', '{"entrx"'))).toContain(
      'Line 13: is not a record of the ledger',
    );
    expect(await problemWith((line) => line.replace(':{', ': {'))).toContain('Line 13: is not in canonical form');
    expect(await problemWith((line) => line.replace('"kind"', '"__proto__":1,"kind"'))).toMatch(/^Line 13/);
    expect(await problemWith((line) => line.replace('"kind"', '"kinc":1,"kind"'))).toMatch(
      /^Line 13 \(entry \d+\): .*Unrecognized key: "kinc"/,
    );
    expect(await problemWith((line) => line.replace(/"kind":"[^"]+"/, '"kind":"tip-deleted"'))).toMatch(
      /^Line 13 \(entry \d+\): kind: must be one of/,
    );
    expect(await problemWith((line) => line.replace(/"sequence":\d+/, '"sequence":1.5'))).toMatch(
      /^Line 13: sequence: must be a whole number/,
    );
  });
});

describe('CSV', () => {
  it('is read by another reader with the columns for reading filled in', async () => {
    const [records = []] = await bothExports();
    const rows = parse(await exportText(records, 'csv'), { columns: true }) as Record<
      (typeof csvColumns)[number],
      string
    >[];
    expect(rows.map((row) => JSON.parse(row.json) as unknown)).toEqual(records);
    const published = rows.find((row) => row.kind === 'tip-published');
    expect(published).toMatchObject({
      record: 'entry',
      odds: expect.stringMatching(/^1\.910( x \d+\.\d{3})*$/) as string,
      stake: expect.stringMatching(/^\d\.\d\d$/) as string,
    });
    expect(rows.find((row) => row.kind === 'tip-settled')?.profit).toMatch(/^-?\d\.\d{6}$/);
  });

  it('has no cell that a spreadsheet would run, whatever the names, and still says the record', async () => {
    const dangerous = fc
      .tuple(
        fc.constantFrom('=', '+', '-', '@', '"', ',', "'", '=cmd|" /C calc"!A0', '-2+3', ' '),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
      )
      .map(([start, rest]) => `${start}${rest}`.replace(/[\p{Cc}\p{Cs}]/gu, ''));
    await fc.assert(
      fc.asyncProperty(dangerous, async (name) => {
        const { legs, ...rest } = publicationAt(dice(1), 1, '2026-03-10T15:00:00.000Z');
        const content = {
          ...rest,
          legs: legs.slice(0, 1).map((leg) => ({ ...leg, selection: { key: 'home', name } })),
        };
        const entry = await sealEntry(
          {
            portfolioSequence: 1,
            at: '2026-03-10T12:00:00.000Z',
            kind: 'tip-published',
            portfolio: 'ann',
            tip: 'tip-1',
            content,
          },
          genesisHead,
        );
        const row = csvRow({ entry });
        const [cells = []] = parse(row) as string[][];
        expect(cells).toHaveLength(csvColumns.length);
        for (const cell of cells)
          expect(/^[=+@\t\r]/.test(cell) || (cell.startsWith('-') && !/^-\d+(\.\d+)?$/.test(cell))).toBe(false);
        expect(cells[csvColumns.indexOf('selections')]?.replace(/^'(?=[=+\-@])/, '')).toBe(name);
        expect(readCsvRow('Line 2', row)).toEqual({ place: 'Line 2', record: { entry } });
      }),
      { seed: 4180 },
    );
  });

  it('is refused when a column for reading says something else than the record', async () => {
    const [records = []] = await bothExports();
    const lines = (await exportText(records, 'csv')).trimEnd().split('\r\n');
    const index = lines.findIndex((line) => line.includes(',1.910,'));
    const changed = (lines[index] ?? '').replace(',1.910,', ',9.910,');
    expect(await problemIn([csvHeader, changed].join('\r\n'))).toBe(
      'Line 2: the column "odds" shows something else than the record in the column "json"; the file was changed, so download it again.',
    );
    expect(await problemIn([csvHeader, `"${(lines[index] ?? '').replace(',', '",')}`].join('\r\n'))).toContain(
      'Line 2: is quoted in another way',
    );
    expect(await problemIn([csvHeader, `${lines[index]},`].join('\r\n'))).toContain(
      'Line 2: does not have the 14 columns',
    );
  });
});
