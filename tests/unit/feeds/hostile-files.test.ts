import fc from 'fast-check';
import { z } from 'zod';
import { footballData } from '@/lib/feeds/football-data';
import { openfootball } from '@/lib/feeds/openfootball';
import { type FileFeed, marketKinds, referenceSchema } from '@/lib/fixtures/schema';
import { priceSchema } from '@/lib/odds/schema';
import { isFailure } from '@/lib/platform/errors';
import { sample } from './reading';

const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{C}]*$/u)
  .refine((text) => text.trim() === text);
const goals = z.int().min(0).max(99);
const score = z.strictObject({ home: goals, away: goals });

const fixtureSchema = z
  .strictObject({
    sportReference: z.literal('football'),
    postponed: z.literal(true).optional(),
    cancelled: z.literal(true).optional(),
    league: z.strictObject({
      reference: referenceSchema,
      name,
      countryIso2: z.string().length(2).nullable(),
      territory: name.nullable(),
      rank: z.int().min(1),
    }),
    season: z.string().regex(/^\d{4}(-\d{2})?$/),
    home: name,
    away: name,
    startsAt: z.iso.datetime(),
    startTimeKnown: z.boolean(),
    result: score.extend({ halfTime: score.nullable() }).nullable(),
    markets: z.array(
      z.strictObject({
        kind: z.enum(marketKinds),
        lineHundredths: z.int().multipleOf(25).min(-9975).max(9975),
        period: z.literal('full-time'),
        includesOvertime: z.literal(false),
        selections: z.array(
          z.strictObject({
            key: z.enum(['home', 'draw', 'away', 'over', 'under']),
            name,
            prices: z.array(
              z.strictObject({
                bookmakerReference: referenceSchema,
                price: priceSchema,
                at: z.iso.datetime(),
                timeKnown: z.literal(false),
                closing: z.boolean(),
              }),
            ),
            closingAverageThousandths: z.int().min(1001).max(1_000_000).optional(),
          }),
        ),
      }),
    ),
  })
  .refine(({ home, away }) => home !== away)
  .refine(
    ({ result }) => !result?.halfTime || (result.halfTime.home <= result.home && result.halfTime.away <= result.away),
  )
  .refine(({ markets, startsAt }) =>
    markets
      .flatMap(({ selections }) => selections.flatMap(({ prices }) => prices))
      .every(({ at, closing }) => (closing ? at === startsAt : at < startsAt)),
  );

const itemSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixture'), line: z.int().min(1), fixture: fixtureSchema }),
  z.strictObject({
    kind: z.literal('rejected'),
    line: z.int().min(1),
    column: z.string().min(1).nullable(),
    reason: z.string().min(1),
  }),
  z.strictObject({ kind: z.literal('damaged'), line: z.int().min(1), reason: z.string().min(1) }),
]);

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.integer({ min: 0, max: 12 }),
  inserted: fc.oneof(
    fc.constantFrom(
      ',',
      '"',
      '\n',
      '\r',
      '-',
      '.',
      '0',
      '99',
      '/',
      ':',
      ' ',
      '\uFEFF',
      '{',
      '}',
      '[',
      ']',
      'null',
      '\0',
      'Div,HomeTeam',
      '1e9',
      'E0',
      '\u202e',
    ),
    fc.string({ maxLength: 6 }),
  ),
});

function mutate(
  original: Uint8Array,
  mutations: readonly { at: number; removed: number; inserted: string }[],
  kept: number,
): Uint8Array {
  const mutated = mutations.reduce((bytes, { at, removed, inserted }) => {
    const offset = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, offset), Buffer.from(inserted), bytes.subarray(offset + removed)]);
  }, Buffer.from(original));
  return new Uint8Array(mutated.subarray(0, Math.ceil(kept * mutated.length)));
}

const outcomeOf = (feed: FileFeed, bytes: Uint8Array): string => {
  try {
    for (const item of feed.read({ name: 'mutated', bytes, readAt: new Date('2026-11-20T12:00:00.000Z') }))
      if (item.kind !== 'step') itemSchema.parse(item);
    return 'read';
  } catch (error) {
    if (!isFailure(error, 'invalid')) throw error;
    expect(error.message).toMatch(/^mutated: [^\n]+\.$/);
    return 'refused';
  }
};

describe.each<[string, FileFeed]>([
  ['football-data-main.csv', footballData],
  ['football-data-extra.csv', footballData],
  ['football-data-2005.csv', footballData],
  ['openfootball.json', openfootball],
])('%s, changed at random', (file, feed) => {
  const original = sample(file);

  test('is valid to begin with', () => {
    expect(outcomeOf(feed, original)).toBe('read');
  });

  test('is read into valid items or refused with one sentence, and never breaks the feed', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 4 }), fc.constantFrom(1, 1, 0.9, 0.5, 0.2), (mutations, kept) => {
        outcomes.add(outcomeOf(feed, mutate(original, mutations, kept)));
      }),
      { numRuns: 500 },
    );
    expect([...outcomes].sort()).toEqual(['read', 'refused']);
  });

  test('is refused or cut off wherever it ends early, and never breaks the feed', () => {
    for (let length = 0; length < original.length; length += 1) outcomeOf(feed, original.subarray(0, length));
  });
});
