import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import { enabledSportIds } from '@/lib/fixtures/queries';
import { daysAfter } from '@/lib/fixtures/rules';
import { database } from '@/lib/platform/database';
import { PortfolioVisibility, sports } from '@/lib/reference/schema';
import type { SearchSource } from '../rules/entry';
import type { SearchKind } from '../schema/kinds';

/** Ours (0023): fixtures are found from so many days after their start to so many days before it. */
export const fixtureWindow = { daysPast: 30, daysAhead: 180 } as const;

// Grows when the making of entries changes, so that all are made anew.
const entryVersion = 2;

const findable: readonly number[] = [PortfolioVisibility.public, PortfolioVisibility.premium];

/** SQL that holds for the portfolio that everybody may find: one that is not personal, hidden or abandoned. */
export const isFindable: RawBuilder<boolean> = sql`visibility = any(${findable}::smallint[]) and abandoned_at is null`;

const noTime = sql`null::timestamptz as "startsAt", false as "startTimeKnown"`;

const leagues = sql`
  select 'league' as kind, league.reference, league.name as title, '{}'::text[] as names, coalesce(territory, '') as "otherNames", '' as "belongsTo",
    coalesce(territory, '') as place, sport_id::int as "sportId", rank as measure, ${noTime}, newest.demo
  from league
  cross join lateral (select demo from fixture where league_id = league.id order by starts_at desc, id desc limit 1) newest
  where sport_id = any(${enabledSportIds}::int[])`;

// By their latest league; each sport has references of its own.
const teams = sql`
  select 'team' as kind, sport.reference || '/' || participant.reference as reference, participant.name as title, array[participant.name] as names,
    coalesce(alias.names, '') as "otherNames", concat_ws(' ', league.name, territory) as "belongsTo", league.name as place, participant.sport_id::int as "sportId",
    league.rank as measure, ${noTime}, latest.demo
  from participant
  join unnest(${sports.map(({ id }) => id)}::int[], ${sports.map(({ reference }) => reference)}::text[]) sport (id, reference) on sport.id = participant.sport_id
  left join alias on alias.participant_id = participant.id
  cross join lateral (
    select league_id, demo from (
      (select league_id, demo, starts_at from fixture where home_id = participant.id order by starts_at desc limit 1)
      union all (select league_id, demo, starts_at from fixture where away_id = participant.id order by starts_at desc limit 1)
      union all (select league_id, demo, starts_at from runner join fixture on fixture.id = fixture_id where runner.participant_id = participant.id order by starts_at desc limit 1)
    ) each order by starts_at desc limit 1
  ) latest
  join league on league.id = latest.league_id
  where participant.sport_id = any(${enabledSportIds}::int[])`;

const portfolios = sql`
  select 'portfolio' as kind, portfolio.reference, portfolio.name as title, '{}'::text[] as names, account.username as "otherNames", left(description, 500) as "belongsTo",
    'By ' || account.username as place, null::int as "sportId", coalesce(followers, 0) as measure, ${noTime}, portfolio.demo
  from portfolio join account on account.id = owner_id left join portfolio_followers on portfolio_id = portfolio.id
  where ${isFindable}`;

const pages = sql`
  select 'page' as kind, kind || '/' || reference as reference, title, '{}'::text[] as names, coalesce(facts->>'term', '') as "otherNames", summary as "belongsTo",
    summary as place, null::int as "sportId", 0 as measure, ${noTime}, demo
  from content_page`;

const fixtures = (now: Date) => sql`
  select 'fixture' as kind, fixture.reference, fixture.name as title, array_remove(array[home.name, away.name], null) as names,
    concat_ws(' ', home_alias.names, away_alias.names,
      case when home_id is null then (select string_agg(participant.name, ' ' order by runner.position) from runner join participant on participant.id = participant_id where fixture_id = fixture.id) end
    ) as "otherNames",
    concat_ws(' ', league.name, territory) as "belongsTo", league.name as place, league.sport_id::int as "sportId", league.rank as measure,
    fixture.starts_at as "startsAt", fixture.start_time_known as "startTimeKnown", fixture.demo
  from fixture
  join league on league.id = league_id
  left join participant home on home.id = home_id
  left join participant away on away.id = away_id
  left join alias home_alias on home_alias.participant_id = home_id
  left join alias away_alias on away_alias.participant_id = away_id
  where league.sport_id = any(${enabledSportIds}::int[])
    and starts_at > ${daysAfter(now, -fixtureWindow.daysPast)} and starts_at < ${daysAfter(now, fixtureWindow.daysAhead)}`;

const aliases = sql`alias as (select participant_id, string_agg(alias, ' ' order by alias) as names from participant_alias group by participant_id)`;

const given = (sources: readonly SearchSource[]) => sql`
  select * from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as source(kind text, reference text, title text, names text[], "otherNames" text, "belongsTo" text,
    place text, "sportId" int, measure int, "startsAt" timestamptz, "startTimeKnown" boolean, demo boolean)`;

/** Where the sources of one kind are read: in the tables of their noun, or those that are given. */
export function sourcesOf(kind: SearchKind, now: Date, others: readonly SearchSource[]): RawBuilder<unknown> {
  if (kind === 'league') return leagues;
  if (kind === 'team') return teams;
  if (kind === 'portfolio') return portfolios;
  if (kind === 'page') return pages;
  return kind === 'fixture' ? fixtures(now) : given(others);
}

/** A source with the hash by which it is known whether its entry is still right. */
export type HashedSource = Omit<SearchSource, 'startsAt'> & { startsAt: Date | null; hash: string };

/** The sources without an entry, or whose entry was made from something else; `limit` at most. */
export async function listStaleSources(
  kind: SearchKind,
  sources: RawBuilder<unknown>,
  limit: number,
): Promise<HashedSource[]> {
  const { rows } = await sql<HashedSource>`
    with ${aliases}, source as (${sources}), hashed as (select *, md5(${entryVersion}::int || source::text) as hash from source)
    select hashed.* from hashed left join search_entry entry on entry.kind = ${kind} and entry.reference = hashed.reference
    where entry.source_hash is distinct from hashed.hash
    limit ${limit}
  `.execute(database());
  return rows;
}

/** The references of the entries of a kind whose source is gone. */
export async function listOrphans(kind: SearchKind, sources: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    with ${aliases}, source as (${sources})
    select entry.reference from search_entry entry left join source on source.reference = entry.reference
    where entry.kind = ${kind} and source.reference is null
  `.execute(database());
  return rows.map(({ reference }) => reference);
}
