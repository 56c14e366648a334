import { footballData } from '@/lib/feeds/football-data';
import { maxFileBytes } from '@/lib/feeds/file-text';
import { damagesOf, fixturesOf, read, refusal, rejectionsOf, sample } from './reading';

const header = 'Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR';
const row = (home: string) => `E0,16/08/2025,15:00,${home},Southby,2,1,H`;
const kinds = (content: string | Uint8Array) => read(footballData, content).map(({ kind, line }) => `${kind} ${line}`);

describe('a file that cannot be used is refused with its name and what to do', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['an empty one', '', /^sample\.csv: the file is empty; download it again/],
    ['blank lines', '\n \r\n\n', /empty/],
    ['a header alone', `${header}\n`, /line 1: there are no rows under the header/],
    [
      'rows without a header',
      `${row('Northwick')}\n`,
      /line 1, column 1: "E0,16\/08\/2025,15:00.*is no header.*download the file again/,
    ],
    ['a page of HTML', '<!doctype html>\n<title>Not found</title>\n', /line 1, column 1: .*is no header/],
    ['JSON', '{"matches":[]}', /is no header.*adapter/],
    ['semicolons', `${header.replaceAll(',', ';')}\n`, /separate its fields by commas/],
    [
      'a header lacking a column',
      'Div,Date,Time,HomeTeam,FTHG,FTAG\nE0,1,1,1,1,1\n',
      /line 1, column 6: the header lacks the column AwayTeam; download/,
    ],
    ['a header with half a score', 'Div,Date,HomeTeam,AwayTeam,FTHG\nE0,1,1,1,1\n', /lacks the column FTAG/],
    [
      'a column that stands twice',
      `${header},B365H,B365D,B365H\n${row('Northwick')},2,3,2\n`,
      /line 1, column 11: the column "B365H" stands there twice, first as column 9/,
    ],
    [
      'NUL bytes',
      Uint8Array.of(0x44, 0x69, 0x76, 0x0a, 0x00, 0x01),
      /line 2, column 1: the file is binary, not text; unpack or export/,
    ],
    ['a zip archive', Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x08, 0x00), /binary/],
    ['many control characters', `${header}\n${'\x01\x02\x03'.repeat(40)}`, /binary/],
    ['UTF-16', new Uint8Array(Buffer.from(`\uFEFF${header}`, 'utf16le')), /binary.*UTF-8/],
    ['a file too large', new Uint8Array(maxFileBytes + 1).fill(32), /larger than 64 MiB; split it/],
  ])('%s', (_case, content, message) => {
    expect(refusal(footballData, content)).toMatch(message);
  });
});

describe('the form of a file', () => {
  test('columns may stand in any order and unknown ones are left alone', () => {
    const [fixture] = fixturesOf(
      read(footballData, 'AwayTeam,Moon,FTAG,HomeTeam,FTHG,Div,Date\nSouthby,full,1,Northwick,2,E0,16/08/2025\n'),
    );
    expect(fixture).toMatchObject({ home: 'Northwick', away: 'Southby', result: { home: 2, away: 1 } });
  });

  test.each([['\n'], ['\r\n'], ['\r']])('lines may end in %j', (ending) => {
    expect(kinds([header, row('Northwick'), '', row('Eastholme'), ''].join(ending))).toEqual([
      'fixture 2',
      'fixture 4',
    ]);
  });

  test('a byte order mark is no part of the first column’s name', () => {
    expect(kinds(`\uFEFF${header}\n${row('Northwick')}\n`)).toEqual(['fixture 2']);
    expect(kinds(new Uint8Array(Buffer.from(`ï»¿${header}\n${row('Peña')}\n`, 'latin1')))).toEqual(['fixture 2']);
  });

  test('a trailing comma in the rows, or in the header too, is no value', () => {
    expect(kinds(`${header}\n${row('Northwick')},\n`)).toEqual(['fixture 2']);
    expect(kinds(`${header},\n${row('Northwick')},\n${row('Eastholme')},,\n${row('Westerham')}\n`)).toEqual([
      'fixture 2',
      'fixture 3',
      'fixture 4',
    ]);
  });

  test('a row with one value too many is rejected when that value is not empty', () => {
    expect(kinds(`${header}\n${row('Northwick')},stray\n${row('Eastholme')}\n`)).toEqual(['rejected 2', 'fixture 3']);
  });

  test('a row of commas alone is passed over', () => {
    expect(kinds(`${header}\n${row('Northwick')}\n,,,,,,,\n,,,\n`)).toEqual(['fixture 2']);
  });

  test('quotation marks hold commas, and an unpaired one spoils its own row only', () => {
    const items = read(
      footballData,
      `${header}\n${row('"Northwick, Upper"')}\n${row('"Eastholme')}\n${row('West"erham"')}\n${row('Southgate')}\n`,
    );
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      'fixture 2',
      'rejected 3',
      'rejected 4',
      'fixture 5',
    ]);
    expect(fixturesOf(items)[0]?.home).toBe('Northwick, Upper');
  });

  test('the last line needs no line break when it is whole', () => {
    expect(kinds(`${header}\n${row('Northwick')}`)).toEqual(['fixture 2']);
  });
});

describe('a damaged file', () => {
  test('that ends inside a row keeps the good rows and says where it is cut off', () => {
    const items = read(footballData, `${header}\n${row('Northwick')}\nE0,17/08/2025,15:0`);
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['fixture 2', 'rejected 3', 'damaged 3']);
    expect(damagesOf(items)[0]?.reason).toBe(
      'The file is cut off at line 3; download it again and import it once more.',
    );
  });

  test('that ends inside quotation marks is cut off as well', () => {
    expect(kinds(`${header}\n${row('Northwick')}\nE0,17/08/2025,15:00,"East`)).toEqual([
      'fixture 2',
      'rejected 3',
      'damaged 3',
    ]);
  });

  test('with a short row in its middle only loses that row', () => {
    const items = read(footballData, `${header}\nE0,16/08/2025,15:00\n${row('Northwick')}\n`);
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['rejected 2', 'fixture 3']);
    expect(rejectionsOf(items)[0]?.reason).toBe(
      'The row has 3 values where the header has 8 columns, so they cannot be told apart.',
    );
  });

  test('with seasons joined under one header loses the rows that do not fit and says so once', () => {
    const other = (home: string) => `${row(home)},1.5,4,6`;
    const items = read(
      footballData,
      `${[header, row('Northwick'), ...['A1', 'B1', 'C1', 'D1', 'F1'].map(other), row('Eastholme')].join('\n')}\n`,
    );
    expect(items.filter(({ kind }) => kind !== 'damaged').map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      ...['fixture 2', 'rejected 3', 'rejected 4', 'rejected 5', 'rejected 6', 'rejected 7', 'fixture 8'],
    ]);
    expect(damagesOf(items)).toEqual([
      {
        kind: 'damaged',
        line: 3,
        reason: expect.stringContaining('several seasons seem to be joined under one header'),
      },
    ]);
  });

  test('with two single misfits is not taken for joined seasons', () => {
    expect(
      damagesOf(read(footballData, `${header}\n${row('A1')},1,2\n${row('B1')},1,2\n${row('C1')}\n${row('D1')},1,2\n`)),
    ).toEqual([]);
  });

  test('with a second header reads the rows below by it', () => {
    const items = read(
      footballData,
      `${header}\n${row('Northwick')}\n\uFEFFDate,Div,AwayTeam,HomeTeam\n23/08/2025,E1,Southby,Eastholme\n`,
    );
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['fixture 2', 'damaged 3', 'fixture 4']);
    expect(fixturesOf(items)[1]).toMatchObject({
      home: 'Eastholme',
      away: 'Southby',
      league: { reference: 'england-championship' },
      result: null,
    });
  });

  test('with a second header of the other layout reads those rows as well', () => {
    const items = read(
      footballData,
      `${header}\n${row('Northwick')}\n${new TextDecoder().decode(sample('football-data-extra.csv'))}`,
    );
    expect(items.map(({ kind }) => kind)).toEqual(['fixture', 'damaged', 'fixture', 'fixture']);
  });

  test('with a second header that is unusable keeps what stands above it', () => {
    const items = read(
      footballData,
      `${header}\n${row('Northwick')}\nDiv,Date,HomeTeam,HomeTeam\n${row('Eastholme')}\n`,
    );
    expect(items.map(({ kind, line }) => `${kind} ${line}`)).toEqual(['fixture 2', 'damaged 3']);
    expect(damagesOf(items)[0]?.reason).toContain('The lines below it were not read');
  });
});
