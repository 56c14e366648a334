import { sql } from 'kysely';
import { database, transact } from '@/lib/platform/database';
import { sports } from '@/lib/reference/schema';

/** How much there is to compare. Portfolios hold tips in the manner of a power law: of a million in ten thousand, some have thousands and half have fewer than eighty. */
export type Size = { tips: number; portfolios: number };

/** The moment at which the records end. */
export const benchNow = new Date('2026-11-16T12:00:00.000Z');

const weeks = 104;
const fixturesADay = 4;
const quotingBookmakers = 3;
const followers = 20_000;
const followsAPortfolio = 20;
const steepness = 1.6;

const sportIds = sports.filter(({ enabled }) => enabled).map(({ id }) => id);
const sportSteepness = 2.5;
const matchDays = weeks * 3;

// Match days are Wednesdays, Saturdays and Sundays; each sport has as many fixtures on each, and their ids tell which is which.
const fixtureId = (day: string, sport: string, place: string) =>
  sql.raw(`((${day}) * ${sportIds.length} + (${sport})) * ${fixturesADay} + (${place}) + 1`);

async function fillFixtures(bookmakerIds: readonly number[]): Promise<void> {
  await sql`
    insert into league (id, sport_id, reference, name) overriding system value
    select place, id, 'league-' || place, 'League ' || place from unnest(${sportIds}::int[]) with ordinality as t (id, place)`.execute(
    database(),
  );
  await sql`
    create unlogged table bench_fixture as
    select ${fixtureId('day', 'sport', 'place')} as id, day, sport, ${benchNow}::timestamptz - interval '1 day' * ((${weeks - 1} - day / 3) * 7 + (array[5, 2, 1])[day % 3 + 1]) + interval '1 hour' * place as starts_at,
      0.2 + 0.6 * random() as home_chance
    from generate_series(0, ${matchDays - 1}) day, generate_series(0, ${sportIds.length - 1}) sport, generate_series(0, ${fixturesADay - 1}) place`.execute(
    database(),
  );
  await sql`
    insert into fixture (id, reference, league_id, name, starts_at, start_time_known, status, sources) overriding system value
    select id, 'fixture-' || id, sport + 1, 'Fixture ' || id, starts_at, true, 'complete', '{bench}' from bench_fixture`.execute(
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
  await sql`
    insert into price (selection_id, bookmaker_id, odds_thousandths, opening_thousandths, closing_thousandths, opened_at, changed_at)
    select selection_id, bookmaker_id, opening, opening, 10 * round(opening * (0.94 + 0.1 * random()) / 10) + 20, starts_at - interval '3 days', starts_at - interval '1 hour'
    from (select 2 * bench_fixture.id + side - 1 as selection_id, bookmaker_id, starts_at,
        10 * round(100 * (0.94 + 0.04 * random()) / (case side when 0 then home_chance else 1 - home_chance end)) as opening
      from bench_fixture, generate_series(0, 1) side, unnest(${bookmakerIds}::int[]) bookmaker_id) quoted`.execute(
    database(),
  );
}

async function fillPortfolios({ portfolios }: Size): Promise<void> {
  const began = sql`${benchNow}::timestamptz - interval '760 days'`;
  await sql`
    insert into account (id, username, created_at) overriding system value
    select id, 'account-' || id, ${began} from generate_series(1, ${portfolios + followers}::int) id`.execute(
    database(),
  );
  // A tenth is personal or hidden and never compared, a quarter premium.
  await sql`
    insert into portfolio (id, reference, owner_id, name, visibility, created_at) overriding system value
    select id, 'portfolio-' || id, id, 'Portfolio ' || id, (array[0, 3, 2, 2, 2, 1, 1, 1, 1, 1])[1 + id % 10], ${began} from generate_series(1, ${portfolios}::int) id`.execute(
    database(),
  );
  await sql`
    create unlogged table bench_portfolio as
    select id, floor(${sportIds.length} * random() ^ ${sportSteepness}::float8)::int as sport, floor(${sportIds.length} * random() ^ ${sportSteepness}::float8)::int as other,
      floor(${matchDays - 30} * random())::int as first_day, 0.94 + 0.14 * random() as skill
    from generate_series(1, ${portfolios}::int) id`.execute(database());
  await sql`
    insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at)
    select distinct ${portfolios}::int + 1 + floor(${followers} * random())::int, 1 + floor(${portfolios}::int * random() ^ 2)::int, 100, ${began}
    from generate_series(1, ${portfolios * followsAPortfolio}::int)`.execute(database());
}

async function drawTips({ tips, portfolios }: Size, bookmakerIds: readonly number[]): Promise<void> {
  await sql`
    create unlogged table bench_draw as
    select id, 1 + floor(${portfolios}::int * random() ^ ${steepness}::float8)::int as portfolio_id, random() as day_share, random() < 0.25 as elsewhere, floor(${fixturesADay} * random())::int as place,
      random() < 0.5 as backs_home, (${bookmakerIds}::int[])[1 + floor(${bookmakerIds.length} * random())::int] as bookmaker_id, 50 * (1 + floor(4 * random())::int) as stake, random() < 0.1 as is_double, random() < 0.02 as is_void, random() as luck
    from generate_series(1, ${tips}::int) id`.execute(database());
  await sql`
    create unlogged table bench_tip as
    select drawn.id, drawn.portfolio_id, stake, is_double, is_void, skill, drawn.luck, backs_home, first.id as fixture_id, second.id as second_id, first.starts_at, greatest(first.starts_at, second.starts_at) as last_starts_at,
      a.bookmaker_id, a.odds_thousandths as odds, b.odds_thousandths as second_odds, row_number() over (order by greatest(first.starts_at, second.starts_at), drawn.id) as ordinal
    from (select bench_draw.*, skill, first_day + floor((${matchDays} - first_day) * day_share)::int as day, case when elsewhere then other else sport end as sport
      from bench_draw join bench_portfolio on bench_portfolio.id = portfolio_id) drawn
    join bench_fixture first on first.id = ${fixtureId('drawn.day', 'drawn.sport', 'drawn.place')}
    left join bench_fixture second on is_double and second.id = ${fixtureId('drawn.day', 'drawn.sport', `(drawn.place + 1) % ${fixturesADay}`)}
    join price a on a.selection_id = 2 * first.id - (case when backs_home then 1 else 0 end) and a.bookmaker_id = drawn.bookmaker_id
    left join price b on b.selection_id = 2 * second.id - 1 and b.bookmaker_id = drawn.bookmaker_id`.execute(
    database(),
  );
}

const isoText = (moment: string) => sql.raw(`to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** The leg of a drawn tip as a publication has it. */
const sealedLeg = (
  fixture: string,
  backsHome: string,
  odds: string,
) => sql`jsonb_build_object('fixture', 'fixture-' || ${sql.raw(fixture)}, 'startsAt', ${isoText('tip.starts_at')},
  'market', jsonb_build_object('kind', 'moneyline', 'lineHundredths', 0, 'period', 'full-time', 'includesOvertime', false),
  'selection', jsonb_build_object('key', case when ${sql.raw(backsHome)} then 'home' else 'away' end, 'name', case when ${sql.raw(backsHome)} then 'Home' else 'Away' end),
  'bookmaker', bookmaker.reference, 'price', jsonb_build_object('oddsThousandths', ${sql.raw(odds)}, 'fraction', null), 'eachWayTerms', null,
  'details', jsonb_build_object('sport', sport, 'league', jsonb_build_object('reference', league.reference, 'name', league.name), 'fixtureName', 'Fixture ' || ${sql.raw(fixture)}, 'sides', null,
    'listedKeys', '[]'::jsonb, 'participant', null, 'bookmakerName', bookmaker.name, 'priceAt', ${isoText("tip.starts_at - interval '2 days'")}))`;

/** What the leg of a settled tip was computed from: its tip's outcome, and its closing price. */
const facts = (fixture: string, backsHome: string) => sql`(select jsonb_build_object(
  'win', jsonb_build_object('voidHalves', case outcome when 'void' then 2 else 0 end, 'won', outcome = 'won', 'deadHeat', jsonb_build_object('numerator', 1, 'denominator', 1), 'rule4Pence', 0),
  'place', null, 'closing', jsonb_build_object('oddsThousandths', closing_thousandths, 'fraction', null), 'fairClosing', null,
  'followers', jsonb_build_object('after5', null, 'after15', null, 'after60', null, 'close', null))
  from price where selection_id = 2 * ${sql.raw(fixture)} - (case when ${sql.raw(backsHome)} then 1 else 0 end) and price.bookmaker_id = settled.bookmaker_id)`;

/** What came of a leg of a drawn tip, at its odds. */
const settledLeg = (
  odds: string,
) => sql`jsonb_build_object('kind', 'settled', 'outcome', outcome, 'rule', '', 'placeFactor', null, 'terms', null, 'rule4Pence', 0,
  'winFactor', jsonb_build_object('numerator', (case outcome when 'won' then ${sql.raw(odds)} when 'void' then 1000 else 0 end)::text, 'denominator', '1000'))`;

// One statement for all of them would outlast the patience of a client on a slow machine.
const insertedAtOnce = 100_000;

async function fillTips(tips: number): Promise<void> {
  for (let first = 1; first <= tips; first += insertedAtOnce) await insertTips(first, first + insertedAtOnce - 1);
}

async function insertTips(first: number, last: number): Promise<void> {
  const drawn = sql`(select * from bench_tip where ordinal between ${first}::int and ${last}::int)`;
  await sql`
    insert into tip (id, reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication) overriding system value
    select tip.id, lpad(tip.id::text, 10, '0'), portfolio_id, tip.id, '', tip.starts_at - interval '1 hour' * (1 + 30 * luck), tip.starts_at, stake, false, true, false, '',
      jsonb_build_object('stakeHundredths', stake, 'eachWay', false, 'free', true, 'analysisHash', repeat('0', 64), 'legs', legs)
    from ${drawn} tip
    join fixture on fixture.id = fixture_id join league on league.id = league_id
    join unnest(${sports.map(({ id }) => id)}::int[], ${sports.map(({ reference }) => reference)}::text[]) as named (sport_id, sport) on named.sport_id = league.sport_id
    join bookmaker on bookmaker.id = bookmaker_id
    cross join lateral (select case when second_id is null then jsonb_build_array(first) else jsonb_build_array(first, ${sealedLeg('second_id', 'true', 'second_odds')}) end as legs
      from (select ${sealedLeg('fixture_id', 'backs_home', 'odds')} as first) sealed) sealed
    order by tip.id`.execute(database());
  await sql`
    insert into tip_leg (tip_id, position, fixture_id, market_id, selection_id, bookmaker_id, odds_thousandths, price_at, starts_at)
    select id, 1, fixture_id, fixture_id, 2 * fixture_id - (case when backs_home then 1 else 0 end), bookmaker_id, odds, starts_at - interval '2 days', starts_at from ${drawn} first
    union all
    select id, 2, second_id, second_id, 2 * second_id - 1, bookmaker_id, second_odds, starts_at - interval '2 days', starts_at from ${drawn} second where second_id is not null`.execute(
    database(),
  );
  // Each tip wins by its own luck, a little more or less often than its odds say, by the skill of its portfolio.
  await sql`
    insert into tip_settlement (tip_id, version, ordinal, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, facts, results, actor, settled_at)
    overriding system value
    select id, 1, ordinal, outcome, staked, staked * worth, staked * worth - staked * 10000, level_staked, level_staked * worth - level_staked * 10000,
      case when second_id is null then jsonb_build_array(${settledLeg('odds')}) else jsonb_build_array(${settledLeg('odds')}, ${settledLeg('second_odds')}) end,
      case when second_id is null then jsonb_build_array(${facts('fixture_id', 'backs_home')}) else jsonb_build_array(${facts('fixture_id', 'backs_home')}, ${facts('second_id', 'true')}) end, '{}', 'system', settled_at
    from (
      select id, ordinal, fixture_id, second_id, backs_home, bookmaker_id, last_starts_at + interval '3 hours' as settled_at, outcome, case outcome when 'void' then 0 else stake end as staked, case outcome when 'void' then 0 else 100 end as level_staked,
        case outcome when 'won' then total / 100 else 0 end as worth, odds, second_odds
      from (select *, case when is_void then 'void' when luck * total < skill * 1000000 then 'won' else 'lost' end as outcome
        from (select *, odds::bigint * coalesce(second_odds, 1000) as total from ${drawn} own) priced) decided) settled
    order by ordinal`.execute(database());
}

/** Fills an empty database with settled tips over two years and twenty sports, singles and doubles, the same ones each time; without their place in the ledger, which no statistic reads. */
export async function fillSettledTips(size: Size): Promise<void> {
  await transact(async () => {
    await sql`set local statement_timeout = 0`.execute(database());
    await sql`select setseed(0.21)`.execute(database());
    const { rows } = await sql<{
      id: number;
    }>`select id from bookmaker where not exchange order by id limit ${quotingBookmakers}`.execute(database());
    const bookmakerIds = rows.map(({ id }) => id);
    await fillFixtures(bookmakerIds);
    await fillPortfolios(size);
    await drawTips(size, bookmakerIds);
    // Each row names what was written just before: where the role may, the database need not look it up for every one.
    await sql`select set_config('session_replication_role', 'replica', true) from pg_roles where rolname = current_user and rolsuper`.execute(
      database(),
    );
    await sql`create index on bench_tip (ordinal)`.execute(database());
    await sql`analyze bench_tip`.execute(database());
    await fillTips(size.tips);
    await sql`drop table bench_fixture, bench_portfolio, bench_draw, bench_tip`.execute(database());
  });
  await sql`analyze`.execute(database());
}
