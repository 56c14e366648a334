import { sql } from 'kysely';
import { randomFrom } from '@/lib/feeds/demo/random';
import { database, transact } from '@/lib/platform/database';
import { slug } from '@/lib/reference/rules';
import { sports } from '@/lib/reference/schema';
import { benchNow } from './settled-tips';

const beginnings =
  'Ash Bram Cald Dun Eld Fern Gal Holl Iver Jar Kel Lorn Mill Nor Oster Pell Quen Rush Sil Tall Umber Var Wex Yar Thorn Quill Marl Hazel Penn Tarn'.split(
    ' ',
  );
const middles = ['', 'a', 'e', 'in', 'or', 'ing', 'er', 'al'];
const places =
  'marrow water moor marsh haven holt mere vale moss wick by caster brook dale mouth worth ton burgh ford gate ley combe stead bridge'.split(
    ' ',
  );
const endings = 'United City Rovers Town Athletic Albion Wanderers County Rangers Foxes Mariners Kestrels'.split(' ');
const subjects =
  'Value Corners Underdogs Each-Way Accumulator Racing Goals Treble Morning Weekend Saturday Sunday'.split(' ');
const forms = 'Tips Picks Insider Ledger Notes Club Report Selections'.split(' ');

const sidesALeague = 16;
const hourMilliseconds = 3_600_000;
const ids = sports.filter(({ enabled }) => enabled).map(({ id }) => id);

/** Writes so many fixtures and portfolios, and a league for every two hundred fixtures, the same ones each time, with names of the shape that real ones have. */
export async function fillSearchable({
  fixtures,
  portfolios,
}: {
  fixtures: number;
  portfolios: number;
}): Promise<void> {
  const random = randomFrom('search');
  const town = () => `${random.pick(beginnings)}${random.pick(middles)}${random.pick(places)}`;
  const leagues = Array.from({ length: Math.ceil(fixtures / 200) }, (_, index) => ({
    ...{ id: index + 1, sportId: ids[index % ids.length], territory: town(), rank: random.whole(1, 500) },
    name: `${town()} ${random.pick(['League', 'Premier League', 'Cup', 'First Division'])} ${index + 1}`,
  }));
  const sides = leagues.flatMap(({ id, sportId }) =>
    Array.from({ length: sidesALeague }, (_, place) => ({
      id: (id - 1) * sidesALeague + place + 1,
      sportId,
      name: `${town()} ${random.pick(endings)} ${id}`,
    })),
  );
  const matches = Array.from({ length: fixtures }, (_, index) => {
    const league = index % leagues.length;
    const home = random.whole(0, sidesALeague - 1);
    const away = (home + random.whole(1, sidesALeague - 1)) % sidesALeague;
    const [one, other] = [sides[league * sidesALeague + home], sides[league * sidesALeague + away]];
    const startsAt = new Date(benchNow.getTime() + random.whole(-29 * 24, 179 * 24) * hourMilliseconds).toISOString();
    return {
      id: index + 1,
      reference: `fixture-${index + 1}`,
      leagueId: league + 1,
      name: `${one?.name} v ${other?.name}`,
      homeId: one?.id,
      awayId: other?.id,
      startsAt,
    };
  });
  const shops = Array.from({ length: portfolios }, (_, index) => ({
    id: index + 1,
    name: `${town()} ${random.pick(subjects)} ${random.pick(forms)}`,
    followers: Math.floor(2_000 * random.next() ** 6),
  }));
  const rows = (list: readonly unknown[]) => JSON.stringify(list);
  await transact(async () => {
    await sql`insert into league (id, sport_id, reference, name, territory, rank) overriding system value
      select id, "sportId", 'league-' || id, name, territory, rank from jsonb_to_recordset(${rows(leagues)}::jsonb) as league(id int, "sportId" int, name text, territory text, rank int)`.execute(
      database(),
    );
    await sql`insert into participant (id, sport_id, reference, name) overriding system value
      select id, "sportId", 'side-' || id, name from jsonb_to_recordset(${rows(sides)}::jsonb) as side(id int, "sportId" int, name text)`.execute(
      database(),
    );
    await sql`insert into participant_alias select sport_id, name || ' ' || id, id from participant`.execute(
      database(),
    );
    await sql`insert into fixture (id, reference, league_id, name, home_id, away_id, starts_at, start_time_known, sources) overriding system value
      select id, reference, "leagueId", name, "homeId", "awayId", "startsAt", true, '{bench}' from jsonb_to_recordset(${rows(matches)}::jsonb)
        as match(id int, reference text, "leagueId" int, name text, "homeId" int, "awayId" int, "startsAt" timestamptz)`.execute(
      database(),
    );
    await sql`insert into account (id, username, created_at) overriding system value select id, 'account-' || id, ${benchNow}::timestamptz from generate_series(1, ${portfolios}::int) id`.execute(
      database(),
    );
    await sql`insert into portfolio (id, reference, owner_id, name, visibility, created_at) overriding system value
      select id, slug || '-' || id, id, name, 1, ${benchNow}::timestamptz from jsonb_to_recordset(${rows(shops.map((shop) => ({ ...shop, slug: slug(shop.name) })))}::jsonb) as shop(id int, slug text, name text)`.execute(
      database(),
    );
    await sql`insert into portfolio_followers select id, followers from jsonb_to_recordset(${rows(shops)}::jsonb) as shop(id int, followers int)`.execute(
      database(),
    );
  });
  await sql`vacuum analyze`.execute(database());
}
