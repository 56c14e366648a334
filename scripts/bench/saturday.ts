import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { recordTips } from '@/lib/record/commands';
import type { Publication } from '@/lib/record/schema';
import { PortfolioVisibility, sports } from '@/lib/reference/schema';
import { setSports } from '@/lib/fixtures/rules';

/** When the tips of the day were published, when its first fixture starts, and when all have ended and their results are stored. */
export const saturday = {
  published: new Date('2026-11-20T18:00:00.000Z'),
  starts: new Date('2026-11-21T12:00:00.000Z'),
  ended: new Date('2026-11-21T22:00:00.000Z'),
};

const fixturesASport = 20;
const changesOfAPrice = 10;
const steepness = 1.6;
const sealedAtOnce = 1_000;

const enabled = sports.filter(({ enabled: isEnabled }) => isEnabled);

async function fillFixtures(): Promise<void> {
  await sql`
    create unlogged table bench_fixture as
    select (select max(id) from fixture) + row_number() over (order by place, sport) as id, place, sport, sport_id, league.id as league_id,
      ${saturday.starts}::timestamptz + interval '15 minutes' * place as starts_at, 1.2 + 5 * random() as home_odds, random() < 0.45 as home_wins
    from unnest(${enabled.map(({ id }) => id)}::int[], ${enabled.map(({ reference }) => reference)}::text[]) as named (sport_id, sport)
    join lateral (select id from league where league.sport_id = named.sport_id order by id limit 1) league on true, generate_series(1, ${fixturesASport}::int) place`.execute(
    database(),
  );
  await sql`
    insert into fixture (id, reference, league_id, name, starts_at, start_time_known, status, sources) overriding system value
    select id, 'fixture-' || id, league_id, 'Fixture ' || id, starts_at, true, 'complete', '{bench}' from bench_fixture`.execute(
    database(),
  );
  await sql`insert into market (id, fixture_id, kind) overriding system value select id, id, 'moneyline' from bench_fixture`.execute(
    database(),
  );
  await sql`
    insert into selection (id, market_id, key, name, position) overriding system value
    select 2 * id + side - 1, id, (array['home', 'away'])[side + 1], (array['Home', 'Away'])[side + 1], side from bench_fixture, generate_series(0, 1) side`.execute(
    database(),
  );
}

async function fillPrices(bookmakerIds: readonly number[]): Promise<void> {
  await sql`
    create unlogged table bench_change as
    select 2 * id + side - 1 as selection_id, bookmaker_id, ${saturday.published}::timestamptz - interval '1 day' + (starts_at - ${saturday.published}::timestamptz + interval '1 day') * (step::float8 / ${changesOfAPrice + 1}::int) as at,
      greatest(1020, 10 * round(100 * (case side when 0 then home_odds else 1 + 1 / (home_odds - 0.9) end) * (0.95 + 0.1 * random())))::int as odds, step
    from bench_fixture, generate_series(0, 1) side, unnest(${[...bookmakerIds]}::int[]) bookmaker_id, generate_series(0, ${changesOfAPrice}::int) step`.execute(
    database(),
  );
  await sql`create index on bench_change (selection_id, bookmaker_id, step)`.execute(database());
  await sql`analyze bench_change`.execute(database());
  await sql`analyze bench_fixture`.execute(database());
  await sql`insert into price_change (selection_id, bookmaker_id, at, time_known, odds_thousandths) select selection_id, bookmaker_id, at, true, odds from bench_change`.execute(
    database(),
  );
  await sql`
    insert into price (selection_id, bookmaker_id, odds_thousandths, opening_thousandths, closing_thousandths, opened_at, changed_at)
    select selection_id, bookmaker_id, last.odds, first.odds, last.odds, first.at, last.at from bench_change first join bench_change last using (selection_id, bookmaker_id)
    where first.step = 0 and last.step = ${changesOfAPrice}::int`.execute(database());
}

async function fillTips(tips: number, portfolios: number, bookmakerIds: readonly number[]): Promise<void> {
  await sql`
    create unlogged table bench_own as
    select portfolio_id, (mode() within group (order by sport_id))::int as sport_id, (array_agg(sport_id order by tip.id desc))[1]::int as other_id
    from tip join tip_leg on tip_id = tip.id and position = 1 join fixture on fixture.id = fixture_id join league on league.id = league_id group by portfolio_id`.execute(
    database(),
  );
  await sql`
    create unlogged table bench_tip as
    select (select max(id) from tip) + row_number() over (order by drawn.id) as id, drawn.portfolio_id, stake, first.id as fixture_id, second.id as second_id, a.selection_id, b.selection_id as second_selection_id,
      drawn.bookmaker_id, a.odds, b.odds as second_odds, least(first.starts_at, second.starts_at) as starts_at, greatest(first.starts_at, second.starts_at) as last_starts_at
    from (select id, 1 + floor(${portfolios}::int * random() ^ ${steepness}::float8)::int as portfolio_id, 50 * (1 + floor(4 * random())::int) as stake,
        (${[...bookmakerIds]}::int[])[1 + floor(${bookmakerIds.length} * random())::int] as bookmaker_id, random() < 0.1 as is_double, random() < 0.5 as backs_home,
        1 + floor(${fixturesASport}::int * random())::int as place, random() < 0.25 as elsewhere
      from generate_series(1, ${tips}::int) id) drawn
    join bench_own own on own.portfolio_id = drawn.portfolio_id
    join bench_fixture first on first.sport_id = (case when elsewhere then other_id else own.sport_id end) and first.place = drawn.place
    left join bench_fixture second on is_double and second.sport_id = first.sport_id and second.place = 1 + drawn.place % ${fixturesASport}::int
    join bench_change a on a.selection_id = 2 * first.id - (case when backs_home then 1 else 0 end) and a.bookmaker_id = drawn.bookmaker_id and a.step = 3
    left join bench_change b on b.selection_id = 2 * second.id and b.bookmaker_id = drawn.bookmaker_id and b.step = 3`.execute(
    database(),
  );
  const leg = (fixture: string, selection: string, odds: string) => {
    const [own, backed, price] = [fixture, selection, odds].map((name) => sql.raw(name));
    const moment = (at: string) => sql.raw(`to_char((${at}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
    return sql`(select jsonb_build_object('fixture', 'fixture-' || fixture.id, 'startsAt', ${moment('fixture.starts_at')},
      'market', jsonb_build_object('kind', 'moneyline', 'lineHundredths', 0, 'period', 'full-time', 'includesOvertime', false),
      'selection', jsonb_build_object('key', chosen.key, 'name', chosen.name), 'bookmaker', bookmaker.reference, 'price', jsonb_build_object('oddsThousandths', ${price}, 'fraction', null), 'eachWayTerms', null,
      'details', jsonb_build_object('sport', fixture.sport, 'league', jsonb_build_object('reference', league.reference, 'name', league.name), 'fixtureName', 'Fixture ' || fixture.id, 'sides', null,
        'listedKeys', '[]'::jsonb, 'participant', null, 'bookmakerName', bookmaker.name, 'priceAt', ${moment('tip.starts_at')}))
      from bench_fixture fixture, selection chosen, league where fixture.id = ${own} and chosen.id = ${backed} and league.id = fixture.league_id)`;
  };
  await sql`
    insert into tip (id, reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication) overriding system value
    select tip.id, lpad(tip.id::text, 10, '0'), portfolio_id, tip.id::text, '', ${saturday.published}::timestamptz, starts_at, stake, false, true, false, '',
      jsonb_build_object('stakeHundredths', stake, 'eachWay', false, 'free', true, 'analysisHash', repeat('0', 64), 'legs',
        case when second_id is null then jsonb_build_array(${leg('tip.fixture_id', 'tip.selection_id', 'tip.odds')})
        else jsonb_build_array(${leg('tip.fixture_id', 'tip.selection_id', 'tip.odds')}, ${leg('tip.second_id', 'tip.second_selection_id', 'tip.second_odds')}) end)
    from bench_tip tip join bookmaker on bookmaker.id = tip.bookmaker_id order by tip.id`.execute(database());
  await sql`
    insert into tip_leg (tip_id, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, price_at, starts_at)
    select id, 1, fixture_id, fixture_id, selection_id, bookmaker_id, odds, ${saturday.published}::timestamptz, starts_at from bench_tip
    union all
    select id, 2, second_id, second_id, second_selection_id, bookmaker_id, second_odds, ${saturday.published}::timestamptz, starts_at from bench_tip where second_id is not null`.execute(
    database(),
  );
}

/** Puts the tips on the record, as publishing them did. */
async function sealTips(): Promise<void> {
  const { rows } = await sql<{ tipId: number; tip: string; portfolio: string; publication: Publication }>`
    select tip.id as "tipId", tip.reference as tip, portfolio.reference as portfolio, publication from bench_tip join tip using (id) join portfolio on portfolio.id = tip.portfolio_id
    where visibility <> ${PortfolioVisibility.personal} order by tip.id
  `.execute(database());
  for (let first = 0; first < rows.length; first += sealedAtOnce) {
    const own = rows.slice(first, first + sealedAtOnce);
    await decidedAt(saturday.published, () =>
      recordTips(
        own.map(({ tipId, tip, portfolio, publication }) => ({
          subject: { tip, portfolio },
          tipId,
          publication,
          opensAt: null,
          at: saturday.published,
        })),
      ),
    );
  }
}

/** Stores the results of the day's fixtures, with which all its tips fall due. */
export async function storeResults(): Promise<void> {
  await transact(async () => {
    await sql`
      insert into fixture_result (fixture_id, version, home_score, away_score, scores, source, recorded_at)
      select id, 1, home, away, case when sport = any(${[...setSports]}::text[])
          then '[]'::jsonb
          else jsonb_build_array(jsonb_build_object('displayName', 'Regulation', 'homeTeamScore', home, 'awayTeamScore', away)) end, 'bench', ${saturday.ended}::timestamptz
      -- Of sports in sets only who won how many; volleyball is won with three.
      from (select *, case when home_wins then won else 1 end as home, case when home_wins then 1 else won end as away
        from (select *, case when sport = 'volleyball' then 3 else 2 end as won from bench_fixture) ended) played`.execute(
      database(),
    );
    await sql`insert into open_tip (tip_id, due_at, portfolio_id) select id, last_starts_at + interval '2 hours', portfolio_id from bench_tip`.execute(
      database(),
    );
  });
}

/** Adds so many open tips on one Saturday to a database that `fillSettledTips` filled, on the record, with the history of their prices and without results. */
export async function fillSaturday(tips: number, portfolios: number): Promise<void> {
  await transact(async () => {
    await sql`set local statement_timeout = 0`.execute(database());
    await sql`select setseed(0.34)`.execute(database());
    const { rows } = await sql<{
      id: number;
    }>`select id from bookmaker where not exchange and show_on_add_tips order by id limit 3`.execute(database());
    const bookmakerIds = rows.map(({ id }) => id);
    await fillFixtures();
    await fillPrices(bookmakerIds);
    await fillTips(tips, portfolios, bookmakerIds);
  });
  await sealTips();
  // The identities go on after what was written with numbers of its own.
  await sql`select setval(pg_get_serial_sequence('tip_settlement', 'ordinal'), (select coalesce(max(ordinal), 1) from tip_settlement))`.execute(
    database(),
  );
  await sql`analyze`.execute(database());
}
