import { sql } from 'kysely';
import { closeMarkets } from '@/lib/fixtures/commands';
import { canonicalParticipant } from '@/lib/fixtures/rules/participant-names';
import type { FeedFixture, FeedSelection } from '@/lib/fixtures/schema';
import { database } from '@/lib/platform/database';
import { undone, onTestDatabase } from '../support/database';
import { fixturesBetween, importAll, storedPrice } from '../support/import';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

// City v Rovers of the named world is announced for this start and not played.
const announced = '2026-03-14T15:00:00.000Z';
const after = (days: number, hours = 0) =>
  new Date(Date.parse(announced) + days * 86_400_000 + hours * 3_600_000).toISOString();
const cityRovers = (startsAt: string, more: Partial<FeedFixture> = {}) => match('City', 'Rovers', startsAt, more);
const won = { home: 1, away: 0, halfTime: null };
const references = async () => (await fixturesBetween('City', 'Rovers')).map(({ reference }) => reference);

describe('a match in a sport in which nobody plays at home', () => {
  const open = { reference: 'northern-open', name: 'Northern Open', countryIso2: 'GB', territory: null, rank: 50 };
  const startsAt = '2026-03-12T12:00:00.000Z';
  const duel = (home: string, away: string, more: Partial<FeedFixture> = {}) =>
    match(home, away, startsAt, { sportReference: 'tennis', league: open, season: '2026', ...more });
  const priced = (home: string, away: string, odds: [number, number], line: number, at: string): FeedFixture => {
    const quoted = (key: string, name: string, thousandths: number): FeedSelection => ({
      ...{ key, name },
      prices: [
        {
          ...{ bookmakerReference: 'bet365', at, timeKnown: true, closing: false },
          price: { oddsThousandths: thousandths, fraction: null },
        },
      ],
    });
    const sides = [quoted('home', home, odds[0]), quoted('away', away, odds[1])];
    const plain = { period: 'full-time', includesOvertime: true } as const;
    return duel(home, away, {
      sourceId: 'event-1',
      markets: [
        { kind: 'moneyline', lineHundredths: 0, ...plain, selections: sides },
        { kind: 'asian-handicap', lineHundredths: line, ...plain, selections: sides },
      ],
    });
  };
  const quotes = async () => {
    const { rows } = await sql`
      select fixture.name as fixture, kind, line_hundredths as line, key, selection.name, odds_thousandths as odds from fixture join market on fixture_id = fixture.id
        join selection on market_id = market.id join price on selection_id = selection.id
      where fixture.starts_at = ${startsAt}::timestamptz order by kind desc, selection.position
    `.execute(database());
    return rows.map((row) => Object.values(row as object).join(' '));
  };

  test(
    'is the same one whichever way round its source names its sides, with prices and result of the right side',
    undone(async () => {
      await importAll([priced('Smith', 'Jones', [1500, 2600], -350, '2026-03-10T10:00:00.000Z')], 'the-odds-api');
      const swapped = [priced('Jones', 'Smith', [2700, 1450], 350, '2026-03-10T11:00:00.000Z')];
      expect(await importAll(swapped, 'the-odds-api')).toMatchObject({ created: 0, changed: 1, rejections: [] });
      expect(await importAll(swapped, 'the-odds-api')).toMatchObject({ unchanged: 1, rejections: [] });
      expect(await quotes()).toEqual([
        'Smith v Jones moneyline 0 home Smith 1450',
        'Smith v Jones moneyline 0 away Jones 2700',
        'Smith v Jones asian-handicap -350 home Smith 1450',
        'Smith v Jones asian-handicap -350 away Jones 2700',
      ]);
      const result = { home: 2, away: 1, halfTime: null };
      const played = duel('Jones', 'Smith', { sourceId: 'event-1', result });
      expect(await importAll([played], 'the-odds-api', new Date('2026-03-12T15:00:00.000Z'))).toMatchObject({
        ...{ created: 0, results: 1, rejections: [] },
      });
      const { rows } = await sql`
        select home_score as home, away_score as away from fixture_result join fixture on fixture.id = fixture_id where fixture.name = 'Smith v Jones'
      `.execute(database());
      expect(rows).toEqual([{ home: 1, away: 2 }]);
    }),
  );

  test(
    'is the same one whichever way round another source names its sides',
    undone(async () => {
      await importAll([duel('Smith', 'Jones', { sourceId: 'event-1' })], 'the-odds-api');
      expect(await importAll([duel('Jones', 'Smith')], 'football-data')).toMatchObject({ created: 0, changed: 1 });
      expect(await importAll([duel('Jones', 'Smith')], 'football-data')).toMatchObject({ created: 0, unchanged: 1 });
    }),
  );
});

describe('a fixture that is announced again', () => {
  test.each([-60, -30, -3, -1, 1, 3, 4, 30, 60])(
    '%d days away in its season is moved and keeps its reference',
    (days) =>
      undone(async () => {
        expect(await importAll([cityRovers(after(days))])).toMatchObject({ created: 0, changed: 1, unchanged: 0 });
        expect(await fixturesBetween('City', 'Rovers')).toMatchObject([
          { reference: 'city-v-rovers-2026-03-14', startsAt: after(days), status: 'awaiting-result' },
        ]);
      })(),
  );

  test.each([-61, 61])('%d days away is another one', (days) =>
    undone(async () => {
      expect(await importAll([cityRovers(after(days))])).toMatchObject({ created: 1, changed: 0 });
      expect(await references()).toHaveLength(2);
    })(),
  );

  test(
    'in another season is another one, unless it is at most three days away',
    undone(async () => {
      expect(await importAll([cityRovers(after(3), { season: '2026-27' })])).toMatchObject({ created: 0, changed: 1 });
      expect(await importAll([cityRovers(after(3 + 4), { season: '2026-27' })])).toMatchObject({ created: 1 });
    }),
  );

  test(
    'in another league or with the sides changed round is another one',
    undone(async () => {
      const league = { reference: 'england-cup', name: 'Cup', countryIso2: 'GB', territory: 'England', rank: 30 };
      expect(await importAll([cityRovers(announced, { league }), match('Rovers', 'City', announced)])).toMatchObject({
        created: 2,
      });
      expect(await references()).toEqual(['city-v-rovers-2026-03-14', 'city-v-rovers-2026-03-14-2']);
    }),
  );

  test(
    'moves to the nearest of two when the pair meets twice',
    undone(async () => {
      await importAll([cityRovers(after(100))]);
      await importAll([cityRovers(after(55))]);
      expect((await fixturesBetween('City', 'Rovers')).map(({ startsAt }) => startsAt)).toEqual([announced, after(55)]);
    }),
  );

  test(
    'by a source that gives no time of day stays where it is, and takes the time from one that gives it',
    undone(async () => {
      expect(await importAll([cityRovers(after(0, -15), { startTimeKnown: false })], 'openfootball')).toMatchObject({
        changed: 1,
      });
      expect(await fixturesBetween('City', 'Rovers')).toEqual([
        {
          reference: 'city-v-rovers-2026-03-14',
          startsAt: announced,
          startTimeKnown: true,
          status: 'awaiting-result',
          sources: ['football-data', 'openfootball'],
          closed: false,
        },
      ]);
      await importAll([match('Swifts', 'City', '2026-03-20T00:00:00.000Z', { startTimeKnown: false })]);
      await importAll([match('Swifts', 'City', '2026-03-20T19:45:00.000Z')]);
      expect(await fixturesBetween('Swifts', 'City')).toMatchObject([
        { reference: 'swifts-v-city-2026-03-20', startsAt: '2026-03-20T19:45:00.000Z', startTimeKnown: true },
      ]);
    }),
  );
});

describe('a start about which two sources differ', () => {
  const tell = (source: string, startsAt: string, more: Partial<FeedFixture> = {}) =>
    importAll([cityRovers(startsAt, more)], source);
  const startsAt = async () => (await fixturesBetween('City', 'Rovers')).map((fixture) => fixture.startsAt);

  test(
    'is not moved back by a file that says again what it said before, and moves when it says something else',
    undone(async () => {
      await tell('football-data', announced);
      await tell('the-odds-api', after(0, 2.5), { sourceId: 'e1' });
      for (let again = 0; again < 2; again += 1)
        expect(await tell('football-data', announced)).toMatchObject({ changed: 0, unchanged: 1 });
      expect(await startsAt()).toEqual([after(0, 2.5)]);
      await tell('football-data', after(1));
      expect(await startsAt()).toEqual([after(1)]);
    }),
  );

  test(
    'is what a source that is asked says, whatever a file has said for the first time',
    undone(async () => {
      await tell('the-odds-api', after(0, 2.5), { sourceId: 'e1' });
      await tell('openfootball', announced);
      await tell('the-odds-api', after(0, 2.5), { sourceId: 'e1' });
      await tell('openfootball', announced);
      expect(await startsAt()).toEqual([after(0, 2.5)]);
    }),
  );

  test(
    'stays where the last new word of two files has put it, also where neither knows the time',
    undone(async () => {
      const day = (source: string, of: string) =>
        importAll([match('Swifts', 'City', `${of}T00:00:00.000Z`, { startTimeKnown: false })], source);
      await day('openfootball', '2026-03-14');
      await day('football-data', '2026-04-20');
      expect(await day('openfootball', '2026-03-14')).toMatchObject({ changed: 0 });
      expect(await day('football-data', '2026-04-20')).toMatchObject({ changed: 0 });
      expect(await fixturesBetween('Swifts', 'City')).toMatchObject([{ startsAt: '2026-04-20T00:00:00.000Z' }]);
    }),
  );
});

describe('a day without a time', () => {
  const dayAlone = (day: string, more: Partial<FeedFixture> = {}) =>
    match('Swifts', 'City', `${day}T00:00:00.000Z`, { startTimeKnown: false, ...more });
  const startsAt = async () => (await fixturesBetween('Swifts', 'City')).map((fixture) => fixture.startsAt);

  test(
    'moves to another day that its source names, though nobody said that it was postponed',
    undone(async () => {
      await importAll([dayAlone('2026-03-14')], 'openfootball');
      expect(await importAll([dayAlone('2026-04-20')], 'openfootball')).toMatchObject({ created: 0, changed: 1 });
      expect(await startsAt()).toEqual(['2026-04-20T00:00:00.000Z']);
      await importAll([dayAlone('2026-04-19')], 'openfootball');
      expect(await startsAt()).toEqual(['2026-04-19T00:00:00.000Z']);
    }),
  );

  test(
    'stays where it is for the midnight of another zone, for a source that calls an old day postponed, and where the time is known',
    undone(async () => {
      await importAll([dayAlone('2026-03-14')], 'openfootball');
      expect(
        await importAll([dayAlone('2026-03-13', { startsAt: '2026-03-13T23:00:00.000Z' })], 'openfootball'),
      ).toMatchObject({ unchanged: 1 });
      await importAll([dayAlone('2026-03-12', { postponed: true })], 'openfootball');
      expect(await startsAt()).toEqual(['2026-03-14T00:00:00.000Z']);
      await importAll([match('Swifts', 'City', '2026-03-14T19:45:00.000Z')]);
      await importAll([dayAlone('2026-04-20')], 'openfootball');
      expect(await startsAt()).toEqual(['2026-03-14T19:45:00.000Z']);
    }),
  );
});

describe('a fixture that was played', () => {
  const later = new Date(after(5));

  test(
    'keeps its start when it is announced within three days of it',
    undone(async () => {
      await importAll([cityRovers(announced, { result: won })], 'football-data', later);
      expect(await importAll([cityRovers(after(2))], 'football-data', later)).toMatchObject({
        created: 0,
        changed: 0,
        unchanged: 1,
      });
      expect(await fixturesBetween('City', 'Rovers')).toMatchObject([{ startsAt: announced, status: 'complete' }]);
    }),
  );

  test(
    'is not made again by a source that still has it at its old date without a result',
    undone(async () => {
      await importAll([cityRovers(after(40), { result: won })], 'football-data', new Date(after(45)));
      expect(await importAll([cityRovers(announced)], 'openfootball', new Date(after(45)))).toMatchObject({
        created: 0,
        changed: 1,
      });
      expect(await fixturesBetween('City', 'Rovers')).toMatchObject([
        { startsAt: after(40), status: 'complete', sources: ['football-data', 'openfootball'] },
      ]);
    }),
  );

  test(
    'and played again weeks later are two, both with their result',
    undone(async () => {
      await importAll([cityRovers(announced, { result: won })], 'football-data', later);
      expect(
        await importAll(
          [cityRovers(after(30), { result: { home: 3, away: 3, halfTime: null } })],
          'football-data',
          new Date(after(31)),
        ),
      ).toMatchObject({ created: 1, results: 1 });
      expect(await fixturesBetween('City', 'Rovers')).toMatchObject([{ startsAt: announced }, { startsAt: after(30) }]);
    }),
  );

  test(
    'is not the one that the pair plays weeks from now: that one is made, with its own prices',
    undone(async () => {
      await importAll([cityRovers(announced, { result: won })], 'football-data', later);
      const markets = [matchResult('City', 'Rovers', after(5), { bet365: [2000, 3000, 4000] })];
      expect(await importAll([cityRovers(after(30), { markets })], 'football-data', later)).toMatchObject({
        created: 1,
        prices: 3,
      });
      const [first, second] = await references();
      expect([
        await storedPrice(first ?? '', 'home', 'bet365'),
        await storedPrice(second ?? '', 'home', 'bet365'),
      ]).toEqual([null, { now: 2000, opening: 2000, closing: null }]);
    }),
  );
});

describe('a fixture that is put off after its start had passed', () => {
  test(
    'awaits its result anew, closes at its new start, and has no closing price before',
    undone(async () => {
      const market = (at: string, home: number) => matchResult('City', 'Rovers', at, { bet365: [home, 3000, 4000] });
      await importAll([cityRovers(announced, { markets: [market(after(-1), 2000)] })]);
      await closeMarkets(new Date(after(0, 1)));
      await sql`update fixture set status = 'pending' where reference = 'city-v-rovers-2026-03-14'`.execute(database());
      expect(await storedPrice('city-v-rovers-2026-03-14', 'home', 'bet365')).toMatchObject({ closing: 2000 });

      await importAll(
        [cityRovers(after(20), { markets: [market(after(1), 2500)] })],
        'football-data',
        new Date(after(1)),
      );
      expect(await fixturesBetween('City', 'Rovers')).toMatchObject([
        { startsAt: after(20), status: 'awaiting-result', closed: false },
      ]);
      expect(await storedPrice('city-v-rovers-2026-03-14', 'home', 'bet365')).toEqual({
        now: 2500,
        opening: 2000,
        closing: null,
      });
      await closeMarkets(new Date(after(19)));
      expect(await storedPrice('city-v-rovers-2026-03-14', 'home', 'bet365')).toMatchObject({ closing: null });
      await closeMarkets(new Date(after(20)));
      expect(await storedPrice('city-v-rovers-2026-03-14', 'home', 'bet365')).toMatchObject({ closing: 2500 });
    }),
  );

  test(
    'by a few minutes that have passed too stays closed',
    undone(async () => {
      await closeMarkets(new Date(after(0, 1)));
      await importAll([cityRovers(after(0, 0.25))], 'football-data', new Date(after(0, 1)));
      expect(await fixturesBetween('City', 'Rovers')).toMatchObject([{ startsAt: after(0, 0.25), closed: true }]);
    }),
  );
});

describe('a side', () => {
  test.each([
    ['Man United', 'Manchester United FC', 'Manchester United'],
    ["Nott'm Forest", 'Nottingham Forest FC', 'Nottingham Forest'],
    ['Wolves', 'Wolverhampton Wanderers FC', 'Wolves'],
    ['Ath Madrid', 'Club Atlético de Madrid', 'Atlético Madrid'],
    ['Ein Frankfurt', 'Eintracht Frankfurt', 'Eintracht Frankfurt'],
    ['Town', 'Town FC', 'Town'],
  ])('that one source calls %s and another %s is the same', (one, other, name) =>
    undone(async () => {
      expect([canonicalParticipant('football', one), canonicalParticipant('football', other)]).toEqual([name, name]);
      await importAll([match(one, 'Dons', announced)]);
      expect(await importAll([match(other, 'Dons', announced)], 'openfootball')).toMatchObject({
        created: 0,
        changed: 1,
        unchanged: 0,
        rejections: [],
      });
      expect(await importAll([match(other, 'Dons', announced)], 'openfootball')).toMatchObject({
        created: 0,
        changed: 0,
        unchanged: 1,
      });
      expect(await fixturesBetween(name, 'Dons')).toMatchObject([{ sources: ['football-data', 'openfootball'] }]);
      const { rows } = await sql<{
        alias: string;
      }>`select alias from participant_alias join participant on participant.id = participant_id where name = ${name} order by alias`.execute(
        database(),
      );
      expect(rows.map(({ alias }) => alias).sort()).toEqual([...new Set([one, other, name])].sort());
    })(),
  );

  test(
    'whose alias staff have given to another one goes by that alias from then on',
    undone(async () => {
      await sql`insert into participant_alias (sport_id, alias, participant_id) select 1, 'The Blues', id from participant where name = 'City'`.execute(
        database(),
      );
      await importAll([match('The Blues', 'Rovers', announced)]);
      expect(await references()).toEqual(['city-v-rovers-2026-03-14']);
    }),
  );

  test(
    'is made once when a batch spells it in two ways',
    undone(async () => {
      await importAll([match('Man United', 'Dons', announced), match('Dons', 'Manchester United', after(30))]);
      const { rows } = await sql`select 1 from participant where reference = 'manchester-united'`.execute(database());
      expect(rows).toHaveLength(1);
      expect(worldNow < new Date(announced)).toBe(true);
    }),
  );
});
