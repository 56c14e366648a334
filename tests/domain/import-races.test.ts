import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { betfair } from '@/lib/feeds/betfair';
import { closeMarkets, importFixtures, type ImportSummary } from '@/lib/fixtures/commands';
import type { FeedRace, FeedRunner } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const lines = readFileSync('tests/samples/betfair-win.jsonl', 'utf8').trimEnd().split('\n');
const afterRace = new Date('2026-05-10T08:00:00.000Z');
const nothing = { created: 0, changed: 0, unchanged: 0, prices: 0, results: 0, decided: [], rejections: [] };

function importStream(content: readonly string[], source = 'betfair', now = afterRace): Promise<ImportSummary> {
  const items = [
    ...betfair.read({ name: 'sample', bytes: new TextEncoder().encode(`${content.join('\n')}\n`), readAt: now }),
  ];
  return importFixtures(
    items.flatMap((item) => (item.kind === 'race' ? [item] : [])),
    source,
    now,
  );
}

async function rowsOf(query: string): Promise<unknown[]> {
  return (await sql.raw(query).execute(database())).rows;
}

const tables = [
  'league',
  'participant',
  'fixture',
  'fixture_source',
  'runner',
  'fixture_result',
  'market',
  'selection',
  'price',
  'price_change',
];

/** Every row of a race that an import writes, without ids and what tells when it was written. */
const stored = () =>
  rowsOf(`
    select fixture.reference, fixture.name, starts_at, off_at, handicap, status, sources,
      (select json_agg(json_build_array(participant.name, number, withdrawn_at, withdrawal_thousandths, starting_thousandths) order by runner.position) from runner
        join participant on participant.id = participant_id where fixture_id = fixture.id) as runners,
      (select json_agg(json_build_array(version, positions, places_known, home_score)) from fixture_result where fixture_id = fixture.id) as results,
      (select json_agg(json_build_array(selection.key, participant.name, odds_thousandths, opening_thousandths, closing_thousandths, pulled_at) order by selection.position) from market
        join selection on market_id = market.id join participant on participant.id = participant_id left join price on selection_id = selection.id
        where fixture_id = fixture.id) as prices,
      (select count(*)::int from market join selection on market_id = market.id join price_change on selection_id = selection.id where fixture_id = fixture.id) as changes
    from fixture join league on league.id = league_id where league.reference = 'horse-racing-gb-ayr' order by fixture.id`);

const runner = (name: string, more: Partial<FeedRunner> = {}): FeedRunner => ({
  name,
  number: null,
  withdrawal: null,
  startingPrice: null,
  ...more,
});

const race = (more: Partial<FeedRace> = {}): FeedRace => ({
  sportReference: 'horse-racing',
  league: { reference: 'horse-racing-gb-ayr', name: 'Ayr', countryIso2: 'GB', territory: 'United Kingdom', rank: 300 },
  season: '',
  name: '15:30 Ayr, 6f Hcap',
  reference: 'ayr-2026-05-09-1530',
  handicap: true,
  startsAt: '2026-05-09T14:30:00.000Z',
  startTimeKnown: true,
  offAt: null,
  runners: [runner('Copper Lantern'), runner('Quiet Tuesday')],
  result: null,
  markets: [],
  ...more,
});

const importRace = (more: Partial<FeedRace>, source = 'another') =>
  importFixtures([{ line: 1, fixture: race(more) }], source, afterRace);

describe('importing a race', () => {
  test(
    'stores its runners, withdrawals, starting prices, winner and closing prices',
    undone(async () => {
      expect(await importStream(lines)).toEqual({
        ...nothing,
        created: 1,
        prices: 23,
        results: 1,
        decided: [expect.any(String)],
      });
      expect(await stored()).toEqual([
        {
          reference: 'ayr-2026-05-09-1530',
          name: '15:30 Ayr, 6f Hcap',
          starts_at: new Date('2026-05-09T14:30:00.000Z'),
          off_at: new Date('2026-05-09T14:31:30.040Z'),
          handicap: true,
          status: 'complete',
          sources: ['betfair'],
          runners: [
            ['Copper Lantern', null, null, null, 3100],
            ['Quiet Tuesday', null, null, null, 4620],
            ['Bramble Bank', null, null, null, 8400],
            ['Slate Roof', null, null, null, 11500],
            ['Tin Whistle', null, '2026-05-09T09:14:30+00:00', 5500, null],
            ['Marsh Lad', null, '2026-05-09T11:00:05+00:00', null, null],
          ],
          results: [[1, [{ position: 1, name: 'Copper Lantern' }], 1, null]],
          prices: [
            ['runner-copper-lantern', 'Copper Lantern', 1010, 3500, 3100, '2026-05-09T14:34:00+00:00'],
            ['runner-quiet-tuesday', 'Quiet Tuesday', 1_000_000, 4000, 4400, '2026-05-09T14:34:00+00:00'],
            ['runner-bramble-bank', 'Bramble Bank', 480_000, 9000, 8600, '2026-05-09T14:34:00+00:00'],
            ['runner-slate-roof', 'Slate Roof', 1_000_000, 12_500, 11_000, '2026-05-09T14:34:00+00:00'],
            ['runner-tin-whistle', 'Tin Whistle', 5500, 6000, null, '2026-05-09T09:15:00.01+00:00'],
            ['runner-marsh-lad', 'Marsh Lad', null, null, null, null],
          ],
          changes: 23,
        },
      ]);
    }),
  );

  test(
    'again changes nothing, in no table',
    undone(async () => {
      await importStream(lines);
      const all = () =>
        Promise.all(tables.map((table) => rowsOf(`select to_jsonb(t) as row from ${table} t order by 1`)));
      const before = await all();
      expect(await importStream(lines)).toEqual({ ...nothing, unchanged: 1 });
      expect(await all()).toEqual(before);
    }),
  );

  test.each([1, 4, 6, 8, 9, 10, 12])(
    'from a file that had only %d lines then and the whole one now ends as from the whole one alone',
    (known) =>
      undone(async () => {
        await importStream(lines);
        const whole = await stored();
        await asOwner(
          sql`update fixture set reference = reference || '-whole', league_id = (select min(id) from league) where reference = 'ayr-2026-05-09-1530'`,
          { unguarded: 'fixture' },
        );
        await asOwner(sql`delete from fixture_source`);

        expect(
          await importStream(lines.slice(0, known), 'betfair', new Date('2026-05-09T13:00:00.000Z')),
        ).toMatchObject({ created: 1, results: 0 });
        await closeMarkets(new Date('2026-05-09T14:30:00.000Z'));
        expect(await importStream(lines)).toMatchObject({ created: 0, changed: 1, results: 1, rejections: [] });
        await closeMarkets(afterRace);
        expect(await stored()).toEqual(whole);
      })(),
  );

  test(
    'keeps a withdrawn runner without a closing price when its market closes',
    undone(async () => {
      await importStream(lines.slice(0, 8), 'betfair', new Date('2026-05-09T14:29:50.000Z'));
      await closeMarkets(new Date('2026-05-09T14:30:00.000Z'));
      const closing = await rowsOf(
        `select key, closing_thousandths as closing from price join selection on selection.id = selection_id where key like 'runner-%' order by position`,
      );
      expect(closing).toEqual([
        { key: 'runner-copper-lantern', closing: 3050 },
        { key: 'runner-quiet-tuesday', closing: 4400 },
        { key: 'runner-bramble-bank', closing: 8600 },
        { key: 'runner-slate-roof', closing: 12_500 },
        { key: 'runner-tin-whistle', closing: null },
      ]);
    }),
  );

  test(
    'from two sources is one race at one course and time; what the first told of a runner stays, what it left open is filled',
    undone(async () => {
      const odds = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });
      const fraction = { oddsThousandths: 7000, fraction: { numerator: 6, denominator: 1 } };
      await importStream(lines.slice(0, 7));
      const runners = [
        runner('COPPER LANTERN', { number: 4, startingPrice: odds(3000) }),
        runner('Tin Whistle', { number: 2, withdrawal: { at: '2026-05-09T10:00:00.000Z', price: fraction } }),
        runner('Marsh Lad', { withdrawal: { at: '2026-05-09T11:30:00.000Z', price: fraction } }),
        runner('Late Entry', { number: 9 }),
      ];
      expect(await importRace({ runners })).toMatchObject({ created: 0, changed: 1 });
      expect(await importRace({ runners })).toMatchObject({ created: 0, changed: 0, unchanged: 1 });
      expect(
        await rowsOf(`select name, number, to_char(withdrawn_at at time zone 'UTC', 'HH24:MI:SS') as at, withdrawal_thousandths as odds, withdrawal_numerator as numerator, starting_thousandths as start
          from runner join participant on participant.id = participant_id where number is not null or withdrawn_at is not null order by name`),
      ).toEqual([
        { name: 'Copper Lantern', number: 4, at: null, odds: null, numerator: null, start: 3000 },
        { name: 'Late Entry', number: 9, at: null, odds: null, numerator: null, start: null },
        { name: 'Marsh Lad', number: null, at: '11:00:05', odds: 7000, numerator: 6, start: null },
        { name: 'Tin Whistle', number: 2, at: '09:14:30', odds: 5500, numerator: null, start: null },
      ]);
    }),
  );

  test(
    'tells the places in a new version when a source knows more of them, and nothing new when it knows fewer',
    undone(async () => {
      await importStream(lines);
      const positions = ['Copper Lantern', 'SLATE ROOF', 'Quiet Tuesday'].map((name, index) => ({
        position: index + 1,
        name,
      }));
      const runners = ['Copper Lantern', 'SLATE ROOF', 'Quiet Tuesday'].map((name) => runner(name));
      expect(await importRace({ runners, result: { positions, placesKnown: 3 } })).toMatchObject({ results: 1 });
      expect(await importStream(lines)).toMatchObject({ results: 0 });
      expect(
        await rowsOf(
          'select version, positions, places_known from fixture_result where places_known > 0 order by version',
        ),
      ).toEqual([
        { version: 1, positions: [{ position: 1, name: 'Copper Lantern' }], places_known: 1 },
        {
          version: 2,
          positions: [
            { position: 1, name: 'Copper Lantern' },
            { position: 2, name: 'Slate Roof' },
            { position: 3, name: 'Quiet Tuesday' },
          ],
          places_known: 3,
        },
      ]);
    }),
  );

  test(
    'of one course is another one at another time, under a reference of its own when the first has it',
    undone(async () => {
      await importStream(lines);
      expect(await importRace({ startsAt: '2026-05-09T14:35:00.000Z' })).toMatchObject({ created: 1 });
      expect((await stored()).map((row) => (row as { reference: string }).reference)).toEqual([
        'ayr-2026-05-09-1530',
        'ayr-2026-05-09-1530-2',
      ]);
    }),
  );

  test(
    'that its source has put back is moved',
    undone(async () => {
      await importRace({ sourceId: 'r1' });
      expect(await importRace({ sourceId: 'r1', startsAt: '2026-05-09T14:50:00.000Z' })).toMatchObject({
        created: 0,
        changed: 1,
      });
      expect(await stored()).toMatchObject([
        { reference: 'ayr-2026-05-09-1530', starts_at: new Date('2026-05-09T14:50:00.000Z') },
      ]);
    }),
  );

  test(
    'is rejected alone when two of its runners are one horse, or its sport does not exist',
    undone(async () => {
      const runners = [runner('Copper Lantern'), runner('COPPER LANTERN')];
      const batch = [
        race({ runners }),
        race({ sportReference: 'quidditch', league: { ...race().league, reference: 'quidditch' } }),
        race(),
      ];
      expect(
        await importFixtures(
          batch.map((fixture, index) => ({ line: index + 1, fixture })),
          'another',
          afterRace,
        ),
      ).toEqual({
        ...nothing,
        created: 1,
        rejections: [
          { line: 1, column: null, reason: 'Copper Lantern and COPPER LANTERN are the same runner.' },
          { line: 2, column: null, reason: 'The sport quidditch is not known.' },
        ],
      });
    }),
  );
});

describe('a source with names of its own for its fixtures', () => {
  const game = (sourceId: string, startsAt: string) => ({
    line: 1,
    fixture: match('City', 'Swifts', startsAt, { sourceId, season: '' }),
  });
  const from = (source: string, ...batch: ReturnType<typeof game>[]) => importFixtures(batch, source, worldNow);

  test(
    'keeps the games of a series apart that are played on successive days',
    undone(async () => {
      const series = [
        game('a', '2026-04-01T19:00:00.000Z'),
        game('b', '2026-04-02T19:00:00.000Z'),
        game('c', '2026-04-02T22:30:00.000Z'),
      ];
      expect(await from('the-odds-api', ...series)).toMatchObject({ created: 3 });
      expect(await from('the-odds-api', ...series.toReversed())).toMatchObject({
        created: 0,
        changed: 0,
        unchanged: 3,
      });
    }),
  );

  test(
    'moves a fixture however far',
    undone(async () => {
      await from('the-odds-api', game('a', '2026-04-01T19:00:00.000Z'));
      expect(await from('the-odds-api', game('a', '2026-09-01T19:00:00.000Z'))).toMatchObject({
        created: 0,
        changed: 1,
      });
    }),
  );

  test(
    'finds the fixture that another source has made, and keeps it',
    undone(async () => {
      await importFixtures(
        [{ line: 1, fixture: match('City', 'Swifts', '2026-04-01T19:00:00.000Z') }],
        'football-data',
        worldNow,
      );
      expect(await from('the-odds-api', game('a', '2026-04-01T19:30:00.000Z'))).toMatchObject({
        created: 0,
        changed: 1,
      });
      expect(await from('the-odds-api', game('a', '2026-04-20T19:30:00.000Z'))).toMatchObject({
        created: 0,
        changed: 1,
      });
    }),
  );
});

describe('a price that is asked for again', () => {
  const at = (time: string) => `2026-03-13T${time}:00.000Z`;
  const quote = (time: string, home: number) =>
    importFixtures(
      [
        {
          line: 1,
          fixture: match('City', 'Rovers', '2026-03-14T15:00:00.000Z', {
            markets: [matchResult('City', 'Rovers', at(time), { coral: [home, 3000, 4000] })],
          }),
        },
      ],
      'the-odds-api',
      worldNow,
    );

  test(
    'is recorded when it has changed, also back to what it was, and not when it is as it was',
    undone(async () => {
      const recorded: number[] = [];
      for (const [time, home] of [
        ['09:00', 2000],
        ['09:05', 2000],
        ['09:10', 2100],
        ['09:15', 2000],
        ['09:15', 2000],
      ] as const)
        recorded.push((await quote(time, home)).prices);
      expect(recorded).toEqual([3, 0, 1, 1, 0]);
    }),
  );
});
