-- How a fixture under way stands, as its source told last; the result, once there is one, is kept apart from it.
create table live_score (
  fixture_id integer primary key references fixture (id),
  home_score integer not null check (home_score >= 0),
  away_score integer not null check (away_score >= 0),
  period text not null check (period <> '' and length(period) <= 40),
  scores jsonb not null default '[]',
  -- A clock that runs: the minutes that it showed at a moment, and the minute after which time is added.
  clock_minutes smallint check (clock_minutes between 0 and 600),
  clock_until smallint check (clock_until between 1 and 600),
  clock_since timestamptz,
  ended boolean not null default false,
  changed_at timestamptz not null,
  check ((clock_minutes is null) = (clock_until is null) and (clock_minutes is null) = (clock_since is null))
);
