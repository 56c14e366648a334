import fc from 'fast-check';
import { betfair } from '@/lib/feeds/betfair';
import { mostUnusable } from '@/lib/feeds/in-turns';
import type { FeedRace } from '@/lib/fixtures/schema';
import { priceSchema } from '@/lib/odds/schema';
import { isFailure } from '@/lib/platform/errors';
import { lines, only, prices, racesOf, stream, text, type Values } from './betfair-stream';
import { damagesOf, read, refusal, rejectionsOf } from './reading';

test('a file that ends in what cannot be read still gives what was read before', () => {
  const told = stream({ at: '12:00:00', define: {} }, { at: '13:00:00', traded: [[1, 3]] });
  const items = read(betfair, `${told}\n${'nonsense\n'.repeat(mostUnusable * 2)}`);
  expect(racesOf(items).map((race) => prices(race, 'First Past'))).toEqual([['13:00:00 3']]);
  expect(rejectionsOf(items)).toHaveLength(mostUnusable);
  expect(damagesOf(items)).toMatchObject([
    { line: mostUnusable + 2, reason: expect.stringContaining('a file of this feed') },
  ]);
});

describe('what cannot be used is rejected with its line while the rest is read', () => {
  const base = stream({ at: '12:00:00', define: {} });
  const after = (line: string) => `${base}\n${line}\n${stream({ at: '13:00:00', traded: [[1, 3]] })}`;

  test.each<[string, string | null, string]>([
    ['{"op":"mcm","pt":1778324700000,"mc":[}', '38', 'The line is not JSON here, where a value or ] should stand.'],
    ['nonsense', '1', 'The line is not JSON here, where a value should stand.'],
    ['null', null, 'The line must be an object.'],
    ['{"op":"ocm","pt":1778324700000}', 'op', 'op must be "mcm".'],
    ['{"op":"mcm"}', 'pt', 'pt must be milliseconds since 1970.'],
    ['{"op":"mcm","pt":12}', 'pt', 'pt must be milliseconds since 1970, from 2000 on.'],
    ['{"op":"mcm","pt":1778324700000,"mc":{}}', 'mc', 'mc must be a list.'],
    ['{"op":"mcm","pt":1778324700000,"mc":[{"id":7}]}', 'mc.0.id', 'mc.0.id must be text in quotation marks.'],
    [
      '{"op":"mcm","pt":1778324700000,"mc":[{"id":"1.7","rc":[{"id":1,"ltp":"3"}]}]}',
      'mc.0.rc.0.ltp',
      'mc.0.rc.0.ltp must be a number.',
    ],
    [
      stream({ at: '12:30:00', define: { marketTime: 'noon' } }),
      'mc.0.marketDefinition.marketTime',
      'mc.0.marketDefinition.marketTime must be a moment such as 2017-06-14T18:55:00.000Z.',
    ],
    [
      stream({ at: '12:30:00', define: { marketTime: '0001-01-01T00:00:00Z' } }),
      'mc.0.marketDefinition.marketTime',
      'mc.0.marketDefinition.marketTime must be a moment from 2000 to 2099.',
    ],
    [
      stream({ at: '12:30:00', define: {}, runner: { name: undefined } }),
      'mc.0.marketDefinition.runners.0.name',
      'mc.0.marketDefinition.runners.0.name must be given in quotation marks; only historical files name the runners.',
    ],
    [
      stream({ at: '12:30:00', traded: [[1, 0.5]] }),
      'ltp',
      'First Past: "0.500" is out of range. Write odds from 1.001 to 1000.00. The price was left out.',
    ],
    [
      stream({ at: '12:30:00', traded: [[9, 2]] }),
      'rc',
      'The runner 9 is not in the definition of the market 1.7; its price was left out.',
    ],
  ])('%s', (line, column, reason) => {
    const items = read(betfair, after(line));
    expect(rejectionsOf(items)).toEqual([{ kind: 'rejected', line: 2, column, reason }]);
    expect(racesOf(items).map((race) => prices(race, 'First Past'))).toEqual([['13:00:00 3']]);
  });

  test.each<[Values, string, string]>([
    [
      { marketType: 'PLACE' },
      'marketDefinition',
      'The market 1.7 is of the type "PLACE"; only WIN markets are read, as the others do not tell who won.',
    ],
    [
      { eventTypeId: '1' },
      'marketDefinition',
      'The market 1.7 is of the event type "1"; only races of horses (7) and greyhounds (4339) are read.',
    ],
    [
      { venue: undefined },
      'venue',
      'The market 1.7 was left out: "" is no name; write Latin letters, at most 100 characters.',
    ],
    [
      { name: '???' },
      'name',
      'The market 1.7 was left out: "???" is no name; write Latin letters, at most 100 characters.',
    ],
    [{ timezone: 'Ayr' }, 'timezone', 'The market 1.7 was left out: "Ayr" is no time zone such as Europe/London.'],
  ])('a market with %j, once', (define, column, reason) => {
    const items = read(
      betfair,
      `${stream({ at: '12:00:00', define }, { at: '12:10:00', define, traded: [[1, 2]] })}\n${lines.join('\n')}`,
    );
    expect(rejectionsOf(items)).toEqual([{ kind: 'rejected', line: 1, column, reason }]);
    expect(racesOf(items).map(({ sourceId }) => sourceId)).toEqual(['1.900000001']);
  });

  test.each([
    ['SECOND  home', 'two of its runners are called "Second Home".'],
    ['小马', '"小马" is no name of a runner; write Latin letters, at most 100 characters.'],
  ])('a market with a runner called %s', (name, problem) => {
    expect(rejectionsOf(read(betfair, stream({ at: '12:00:00', define: {}, runner: { name } })))).toEqual([
      { kind: 'rejected', line: 1, column: 'runners', reason: `The market 1.7 was left out: ${problem}` },
    ]);
  });

  test('prices before the definition, once', () => {
    const items = read(
      betfair,
      stream(
        { at: '11:00:00', traded: [[1, 2]] },
        { at: '11:10:00', traded: [[1, 2.1]] },
        { at: '12:00:00', define: {} },
        { at: '12:10:00', traded: [[1, 3]] },
      ),
    );
    expect(rejectionsOf(items)).toEqual([
      {
        kind: 'rejected',
        line: 1,
        column: 'rc',
        reason: 'The market 1.7 has prices before its definition; they were left out.',
      },
    ]);
    expect(prices(racesOf(items)[0] as FeedRace, 'First Past')).toEqual(['12:10:00 3']);
  });
});

describe('a damaged file', () => {
  test('that is cut off is read up to there and says so', () => {
    const items = read(betfair, text.slice(0, -40));
    expect(damagesOf(items)).toEqual([
      {
        kind: 'damaged',
        line: 13,
        reason: 'The file is cut off at line 13; download it again and import it once more.',
      },
    ]);
    expect(racesOf(items)).toMatchObject([{ result: null, offAt: '2026-05-09T14:31:30.040Z' }]);
  });

  test('in which a market runs backwards is read up to there and says so', () => {
    const items = read(betfair, `${text}${text}`);
    expect(damagesOf(items)).toEqual([
      expect.objectContaining({
        line: 14,
        reason: expect.stringContaining('runs backwards here, as if files had been joined'),
      }),
    ]);
    expect(racesOf(items)).toEqual([only(text)]);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['an empty one', '\n', /^sample\.csv: the file is empty/],
    [
      'one of another feed',
      '{"name":"English Premier League 2025/26","matches":[]}',
      /^sample\.csv: line 1, column 1: no line of the file is a change of a market.*unpack the file, download it again or import it by the adapter/,
    ],
    ['one line cut off', lines[0]?.slice(0, 500) ?? '', /no line of the file is a change of a market/],
    [
      'a packed one',
      Uint8Array.from([0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0, 1, 2, 3]),
      /the file is binary, not text; unpack/,
    ],
    [
      'thousands of lines of another kind',
      'x\n'.repeat(5_000),
      /line 1, column 1: none of a thousand lines from here is a /,
    ],
    ['a million brackets', '['.repeat(1_000_000), /no line of the file is a change of a market/],
  ])('that cannot be used is refused: %s', (_case, content, message) => {
    expect(refusal(betfair, content)).toMatch(message);
  });

  test('never breaks the feed, whatever was done to it, and what it gives is whole', () => {
    const mutation = fc.record({
      at: fc.nat(text.length),
      removed: fc.nat(30),
      inserted: fc.oneof(
        fc.constantFrom('"', '{', '}', '\n', '-', '0', 'null', '1e400', '\uFEFF', '小'),
        fc.string({ maxLength: 5 }),
      ),
    });
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 5 }), (mutations) => {
        const content = mutations.reduce(
          (changed, { at, removed, inserted }) => `${changed.slice(0, at)}${inserted}${changed.slice(at + removed)}`,
          text,
        );
        try {
          for (const race of racesOf(read(betfair, content))) {
            expect(race.reference).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
            const moments = race.markets.flatMap(({ selections }) =>
              selections.map(({ prices: own }) => own.map(({ at }) => Date.parse(at))),
            );
            for (const own of moments) expect(own).toEqual([...new Set(own)].toSorted((a, b) => a - b));
            for (const { prices: own } of race.markets[0]?.selections ?? [])
              for (const { price } of own) if (price) priceSchema.parse(price);
          }
        } catch (error) {
          if (!isFailure(error, 'invalid')) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});
