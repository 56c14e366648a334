-- compatible from 0035
-- How a feed runs by itself.
create table feed_setting (
  name text primary key,
  enabled boolean not null default false,
  every_minutes integer not null default 60 check (every_minutes between 5 and 10080),
  -- Of a feed of files the addresses that they are fetched from, of one that is asked with a key the source's names of sports.
  places text[] not null default '{}',
  -- Calls that are never spent by the schedule, of the quota of a feed that has one.
  reserve integer not null default 50 check (reserve >= 0),
  quota_left integer,
  quota_at timestamptz,
  -- When each place was last asked: an object of moments.
  asked_at jsonb not null default '{}',
  -- Since when somebody waits for a run outside the schedule.
  wanted_at timestamptz,
  revision integer not null default 0
);
insert into feed_setting (name, every_minutes) values ('the-odds-api', 10), ('football-data', 360), ('openfootball', 360), ('betfair', 1440);

create table feed_run (
  id integer generated always as identity primary key,
  feed text not null,
  place text not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  created integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  prices integer not null default 0,
  results integer not null default 0,
  rejected integer not null default 0,
  waiting integer not null default 0,
  -- Calls of the quota that it cost; 0 where there is none.
  cost integer not null default 0,
  failure text
);
create index feed_run_feed on feed_run (feed, id desc);

-- A row that was left out, why, and what it said.
create table feed_reject (
  id integer generated always as identity primary key,
  run_id integer not null references feed_run (id) on delete cascade,
  line integer not null,
  column_name text,
  reason text not null,
  row_text text
);
create index feed_reject_run on feed_reject (run_id, id);

-- A name that a feed uses and nobody here knows, until staff say who is meant.
create table feed_unmatched (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('participant', 'league')),
  sport_id smallint not null,
  -- The name of a participant, the reference of a league.
  name text not null,
  -- The league as the feed gives it.
  league jsonb,
  -- Where it was met: the league or course, and one of the fixtures.
  seen_in text not null,
  feed text not null,
  first_seen_at timestamptz not null,
  decided_at timestamptz,
  decided_by integer references account (id),
  participant_id integer references participant (id),
  league_id integer references league (id),
  unique (kind, sport_id, name)
);
create index feed_unmatched_open on feed_unmatched (id) where decided_at is null;

create table league_alias (
  reference text primary key,
  league_id integer not null references league (id)
);

-- What a feed told of fixtures whose names were not known then, as it told it; entered in this order once all of them are.
create table feed_waiting (
  id integer generated always as identity primary key,
  feed text not null,
  digest text not null,
  -- Rows of one fixture wait for each other.
  identity text not null,
  line integer not null,
  fixture jsonb not null,
  needs integer[] not null,
  came_at timestamptz not null,
  entered_at timestamptz,
  refused text,
  unique (feed, digest)
);
create index feed_waiting_open on feed_waiting (feed, identity, id) where entered_at is null and refused is null;

-- Names that differ in signs and case alone, or in the country behind a horse, are looked for by this.
create function plain_name(name text) returns text language sql immutable as $$
  select regexp_replace(lower(regexp_replace(name, '\s*\([A-Za-z]{2,3}\)\s*$', '')), '[^a-z0-9]', '', 'g')
$$;
create index participant_plain_name on participant (sport_id, plain_name(name));
