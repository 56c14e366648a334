import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import {
  countFixturesBySport,
  listFixtureGroups,
  listFixtures,
  listLeagueGroups,
  listTopLeagues,
} from '@/lib/fixtures/queries';
import { maxListed } from '@/lib/fixtures/queries/lists';
import { fixtureRowSchema } from '@/lib/fixtures/schema/fixtures';
import type { FixtureRow } from '@/lib/fixtures/schema';
import { forget, keptValues } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { importAll } from '../support/import';
import { guestFrom } from '../support/viewer';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const week = { from: worldNow, until: new Date('2026-03-17T12:00:00.000Z') };
const ever = { from: new Date(0), until: new Date('2100-01-01') };
const viewer = guest();
const names = (rows: readonly FixtureRow[]) => rows.map(({ name }) => name);

/** A league of another sport, of a rank. */
const leagueOf = (reference: string, rank: number) => ({
  reference,
  name: reference,
  countryIso2: null,
  territory: null,
  rank,
});

const bookmakerBlocks = (reference: string, iso2: 'GB' | 'US' | 'FR') =>
  asOwner(
    sql`update bookmaker set markets_country_block = ${[guestFrom(iso2).countryId]}::int[] where reference = ${reference}`,
  );

describe('a list of fixtures', () => {
  test('is in the order of start, from its first moment on and before its last', async () => {
    expect(names(await listFixtures(viewer, week, worldNow))).toEqual([
      'Athletic v Wanderers',
      'Dons v Swifts',
      'City v Rovers',
    ]);
    const [from, until] = [new Date('2026-03-10T20:00:00.000Z'), new Date('2026-03-14T15:00:00.000Z')];
    expect(names(await listFixtures(viewer, { from, until }, worldNow))).toEqual([
      'Athletic v Wanderers',
      'Dons v Swifts',
    ]);
    expect(
      names(
        await listFixtures(
          viewer,
          { from: new Date(from.getTime() + 1), until: new Date(until.getTime() + 60_000) },
          worldNow,
        ),
      ),
    ).toEqual(['Dons v Swifts', 'City v Rovers']);
    expect(await listFixtures(viewer, { from: until, until: from }, worldNow)).toEqual([]);
  });

  test('is of views that the schema declares', async () => {
    for (const row of await listFixtures(viewer, ever, worldNow)) expect(fixtureRowSchema.parse(row)).toEqual(row);
  });

  test('narrows to a league, a sport and a number', async () => {
    expect(
      names(await listFixtures(viewer, { ...week, leagueReference: 'england-southern-league' }, worldNow)),
    ).toEqual(['Dons v Swifts']);
    expect(await listFixtures(viewer, { ...week, leagueReference: 'nowhere' }, worldNow)).toEqual([]);
    expect(await listFixtures(viewer, { ...week, sportId: 16 }, worldNow)).toEqual([]);
    expect(names(await listFixtures(viewer, { ...week, limit: 2 }, worldNow))).toEqual([
      'Athletic v Wanderers',
      'Dons v Swifts',
    ]);
  });

  test(
    'puts those of one start in the order of their leagues',
    undone(async () => {
      const at = '2026-03-12T19:00:00.000Z';
      await importAll([
        match('A', 'B', at, { league: leagueOf('low', 900) }),
        match('C', 'D', at, { league: leagueOf('high', 1) }),
        match('E', 'F', at, { league: leagueOf('middle', 500) }),
      ]);
      expect(names(await listFixtures(viewer, week, worldNow))).toEqual([
        'Athletic v Wanderers',
        'Dons v Swifts',
        'C v D',
        'E v F',
        'A v B',
        'City v Rovers',
      ]);
    }),
  );

  test(
    'does not hold fixtures of a sport that is not on offer, whoever asks and however',
    undone(async () => {
      await importAll([
        match('Hawks', 'Swans', '2026-03-12T09:00:00.000Z', {
          sportReference: 'australian-rules',
          league: leagueOf('footy', 1),
        }),
      ]);
      const rows = await sql`select 1 from fixture where name = 'Hawks v Swans'`.execute(database());
      expect(rows.rows).toHaveLength(1);
      for (const sportId of [undefined, 7]) {
        expect(names(await listFixtures(viewer, { ...ever, sportId }, worldNow))).not.toContain('Hawks v Swans');
        expect((await listTopLeagues(viewer, { sportId }, worldNow)).map(({ reference }) => reference)).not.toContain(
          'footy',
        );
        expect(
          (await listLeagueGroups(viewer, { ...ever, sportId, sort: 'date' }, worldNow)).map(
            ({ league }) => league.reference,
          ),
        ).not.toContain('footy');
      }
      expect(await listFixtures(viewer, { ...ever, leagueReference: 'footy' }, worldNow)).toEqual([]);
      expect((await countFixturesBySport(viewer, ever)).has(7)).toBe(false);
    }),
  );

  test(
    'ends at the most that any list holds',
    undone(async () => {
      await sql`
        insert into fixture (reference, league_id, name, starts_at, start_time_known, sources)
        select 'mass-' || n, league.id, 'Mass ' || n, '2026-03-12T09:00:00Z', true, '{test}' from league, generate_series(1, ${maxListed}) n where reference = 'england-northern-league'
      `.execute(database());
      expect(await listFixtures(viewer, ever, worldNow)).toHaveLength(maxListed);
      const found = await listFixtureGroups(viewer, { ...ever, group: 'day', filter: 'city' }, worldNow);
      expect(found.map(({ fixtures }) => names(fixtures))).toEqual([['Town v City'], ['City v Rovers']]);
    }),
  );

  test('says of each fixture whether it has started, also when the list was kept from before', async () => {
    const window = { from: new Date('2026-03-10T00:00:00.000Z'), until: new Date('2026-03-11T00:00:00.000Z') };
    expect((await listFixtures(viewer, window, worldNow)).map(({ started }) => started)).toEqual([false]);
    expect(
      (await listFixtures(viewer, window, new Date('2026-03-10T20:00:00.000Z'))).map(({ started }) => started),
    ).toEqual([true]);
  });

  test('that begins at the present leaves out what has started since it was kept', async () => {
    await importAll([match('Quick', 'Start', '2026-03-10T13:00:30.000Z')]);
    const at = (moment: string) =>
      listFixtures(viewer, { from: new Date(moment), until: new Date('2026-03-10T14:00:00.000Z') }, new Date(moment));
    expect(names(await at('2026-03-10T13:00:10.000Z'))).toEqual(['Quick v Start']);
    expect(names(await at('2026-03-10T13:00:50.000Z'))).toEqual([]);
    await asOwner(sql`delete from fixture where name = 'Quick v Start'`, { unguarded: 'fixture' });
    await forget(['fixtures']);
  });
});

describe('the best odds of a list', () => {
  const bestOf = async (iso2: 'GB' | 'US' | 'FR') => {
    const [fixture] = await listFixtures(guestFrom(iso2), week, worldNow);
    return fixture?.bestOdds.map(({ key, price, bookmakerName }) => [key, price.oddsThousandths, bookmakerName]);
  };

  afterEach(async () => {
    await asOwner(
      sql`update bookmaker set show_on_markets = true, markets_country_block = '{}' where reference in ('coral', 'bet365')`,
    );
    await forget(['bookmakers']);
  });

  test('are those of the main market, in the order of its selections', async () => {
    expect(await bestOf('GB')).toEqual([
      ['home', 2500, 'bet365'],
      ['draw', 3250, 'Coral'],
      ['away', 3000, 'Coral'],
    ]);
  });

  test('leave out bookmakers that the viewer’s country may not see, and those hidden everywhere', async () => {
    await bookmakerBlocks('bet365', 'US');
    await forget(['bookmakers']);
    expect(await bestOf('US')).toEqual([
      ['home', 2450, 'Coral'],
      ['draw', 3250, 'Coral'],
      ['away', 3000, 'Coral'],
    ]);
    expect(await bestOf('GB')).toEqual([
      ['home', 2500, 'bet365'],
      ['draw', 3250, 'Coral'],
      ['away', 3000, 'Coral'],
    ]);
    await asOwner(sql`update bookmaker set show_on_markets = false where reference = 'coral'`);
    await forget(['bookmakers']);
    expect(await bestOf('GB')).toEqual([
      ['home', 2500, 'bet365'],
      ['draw', 3200, 'bet365'],
      ['away', 2900, 'bet365'],
    ]);
  });

  test(
    'leave out pulled prices',
    undone(async () => {
      await sql`update price set pulled_at = ${worldNow} from bookmaker where bookmaker.id = bookmaker_id and bookmaker.reference = 'coral'`.execute(
        database(),
      );
      expect(await bestOf('GB')).toEqual([
        ['home', 2500, 'bet365'],
        ['draw', 3200, 'bet365'],
        ['away', 2900, 'bet365'],
      ]);
    }),
  );

  test(
    'go by the fraction that a price was quoted as, as the grid does',
    undone(async () => {
      await sql`
        update price set odds_thousandths = 4330, numerator = 10, denominator = 3 from bookmaker, selection, market, fixture
        where bookmaker.id = bookmaker_id and bookmaker.reference = 'coral' and selection.id = selection_id and selection.key = 'home'
          and market.id = market_id and fixture.id = fixture_id and fixture.reference = 'athletic-v-wanderers-2026-03-10'
      `.execute(database());
      await sql`
        update price set odds_thousandths = 4332 from bookmaker, selection, market, fixture
        where bookmaker.id = bookmaker_id and bookmaker.reference = 'bet365' and selection.id = selection_id and selection.key = 'home'
          and market.id = market_id and fixture.id = fixture_id and fixture.reference = 'athletic-v-wanderers-2026-03-10'
      `.execute(database());
      expect((await bestOf('GB'))?.[0]).toEqual(['home', 4330, 'Coral']);
    }),
  );

  test(
    'give an equal price to the better rated bookmaker, then to the smaller id',
    undone(async () => {
      const equal = { coral: [2000, 3000, 4000], bet365: [2000, 3000, 4000] } as const;
      await importAll([
        match('X', 'Y', '2026-03-10T19:00:00.000Z', {
          markets: [
            matchResult('X', 'Y', '2026-03-10T09:00:00.000Z', { coral: [...equal.coral], bet365: [...equal.bet365] }),
          ],
        }),
      ]);
      expect(await bestOf('GB')).toContainEqual(['home', 2000, 'bet365']);
      await asOwner(sql`update bookmaker set rating = 9.9 where reference = 'coral'`);
      expect(await bestOf('GB')).toContainEqual(['home', 2000, 'Coral']);
    }),
  );
});

describe('groups of fixtures', () => {
  const tuesday = { from: new Date('2026-03-11T00:00:00.000Z'), until: week.until };

  test('stand under leagues, the one that plays next first, or the one that ranks first', async () => {
    const leagues = async (sort: 'date' | 'league') =>
      (await listLeagueGroups(viewer, { ...tuesday, sort }, worldNow)).map(({ league, fixtures }) => [
        league.name,
        names(fixtures),
      ]);
    expect(await leagues('date')).toEqual([
      ['Southern League', ['Dons v Swifts']],
      ['Northern League', ['City v Rovers']],
    ]);
    expect(await leagues('league')).toEqual([
      ['Northern League', ['City v Rovers']],
      ['Southern League', ['Dons v Swifts']],
    ]);
  });

  test('stand under days or leagues and hold what a filter finds', async () => {
    const groups = async (group: 'day' | 'league', filter?: string) =>
      (await listFixtureGroups(viewer, { ...week, group, filter }, worldNow)).map(({ key, fixtures }) => [
        key,
        names(fixtures),
      ]);
    expect(await groups('day')).toEqual([
      ['2026-03-10', ['Athletic v Wanderers']],
      ['2026-03-11', ['Dons v Swifts']],
      ['2026-03-14', ['City v Rovers']],
    ]);
    expect(await groups('league', 'NORTHERN')).toEqual([
      ['england-northern-league', ['Athletic v Wanderers', 'City v Rovers']],
    ]);
    expect(await groups('league', 'swift')).toEqual([['england-southern-league', ['Dons v Swifts']]]);
    expect(await groups('day', '%')).toEqual([]);
    expect(await groups('day', 'England-Northern-League')).toHaveLength(2);
  });

  test('are not kept for each text that somebody types', async () => {
    const kept = keptValues();
    for (const filter of ['swift', 'SWIFT', 'Swift'])
      expect(await listFixtureGroups(viewer, { ...week, group: 'day', filter }, worldNow)).toHaveLength(1);
    expect(keptValues()).toBe(kept);
  });

  test(
    'stand under days in their order where one without a time begins with the midnight of its place',
    undone(async () => {
      await importAll([
        match('Late', 'Dons', '2026-03-12T23:30:00.000Z'),
        match('Untimed', 'City', '2026-03-12T23:00:00.000Z', { startTimeKnown: false }),
      ]);
      const groups = await listFixtureGroups(viewer, { ...week, group: 'day' }, worldNow);
      expect(groups.map(({ key, fixtures }) => [key, names(fixtures)])).toEqual([
        ['2026-03-10', ['Athletic v Wanderers']],
        ['2026-03-11', ['Dons v Swifts']],
        ['2026-03-12', ['Late v Dons']],
        ['2026-03-13', ['Untimed v City']],
        ['2026-03-14', ['City v Rovers']],
      ]);
    }),
  );
});

describe('the leagues of a sport', () => {
  test(
    'stand with those that play soon first, then by rank, then by name, with what they have and will',
    undone(async () => {
      await importAll([
        match('A', 'B', '2026-03-01T19:00:00.000Z', { league: leagueOf('over-but-first', 1) }),
        match('C', 'D', '2026-03-12T19:00:00.000Z', { league: leagueOf('b-league', 20) }),
        match('E', 'F', '2026-03-12T19:00:00.000Z', { league: leagueOf('a-league', 20) }),
      ]);
      const leagues = await listTopLeagues(viewer, { sportId: 1 }, worldNow);
      expect(leagues.map(({ reference, coming, played }) => [reference, coming, played])).toEqual([
        ['england-northern-league', 2, 2],
        ['england-southern-league', 1, 0],
        ['a-league', 1, 0],
        ['b-league', 1, 0],
        ['over-but-first', 0, 1],
      ]);
    }),
  );

  test(
    'are those with a fixture alone',
    undone(async () => {
      await sql`insert into league (sport_id, reference, name) values (1, 'empty', 'Empty')`.execute(database());
      expect((await listTopLeagues(viewer, {}, worldNow)).map(({ reference }) => reference)).not.toContain('empty');
    }),
  );
});

test('the sports are counted by their fixtures in a window; those without any are absent', async () => {
  expect([...(await countFixturesBySport(viewer, week))]).toEqual([[1, 3]]);
  expect([...(await countFixturesBySport(viewer, ever))]).toEqual([[1, 5]]);
  expect([...(await countFixturesBySport(viewer, { from: week.until, until: week.from }))]).toEqual([]);
});
