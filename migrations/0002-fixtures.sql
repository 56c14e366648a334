create table bookmaker (
  id integer primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null check (name <> ''),
  url text not null,
  bonus_offer text not null,
  bonus_terms text not null,
  rating numeric(3, 1) check (rating between 0 and 10),
  description text not null,
  bullet_points text[] not null,
  background_colour text not null,
  show_on_markets boolean not null,
  markets_country_block integer[] not null,
  show_on_live_odds boolean not null,
  live_odds_country_block integer[] not null,
  show_on_add_tips boolean not null,
  add_tips_country_block integer[] not null,
  exchange boolean not null,
  demo boolean not null
);

create table league (
  id integer generated always as identity primary key,
  sport_id smallint not null check (sport_id between 1 and 21),
  reference text not null unique check (reference ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null check (name <> ''),
  country_iso2 char(2),
  territory text,
  rank integer not null default 1000
);
create index league_sport on league (sport_id, rank);

create table participant (
  id integer generated always as identity primary key,
  sport_id smallint not null check (sport_id between 1 and 21),
  reference text not null check (reference ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null check (name <> ''),
  unique (sport_id, reference)
);

create table participant_alias (
  sport_id smallint not null,
  alias text not null,
  participant_id integer not null references participant (id) on delete cascade,
  primary key (sport_id, alias)
);
create index participant_alias_participant on participant_alias (participant_id);

create table fixture (
  id integer generated always as identity primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  league_id integer not null references league (id),
  season text not null default '',
  name text not null check (name <> ''),
  home_id integer references participant (id),
  away_id integer references participant (id),
  starts_at timestamptz not null,
  start_time_known boolean not null,
  status text not null default 'awaiting-result'
    check (status in ('awaiting-result', 'pending', 'processing', 'complete', 'retry')),
  sources text[] not null,
  demo boolean not null default false,
  closed_at timestamptz,
  check (home_id <> away_id)
);
create index fixture_starts on fixture (starts_at, id);
create index fixture_league_starts on fixture (league_id, starts_at, id);
create index fixture_pair on fixture (league_id, home_id, away_id, starts_at);
create index fixture_open on fixture (starts_at) where status <> 'complete';

create table fixture_result (
  fixture_id integer not null references fixture (id),
  version integer not null check (version > 0),
  home_score integer check (home_score >= 0),
  away_score integer check (away_score >= 0),
  scores jsonb not null default '[]',
  positions jsonb not null default '[]',
  abandoned boolean not null default false,
  source text not null,
  recorded_at timestamptz not null,
  primary key (fixture_id, version)
);

create table market (
  id integer generated always as identity primary key,
  fixture_id integer not null references fixture (id),
  kind text not null check (kind in (
    'match-result', 'double-chance', 'draw-no-bet', 'total', 'asian-handicap', 'european-handicap',
    'both-teams-to-score', 'correct-score', 'half-time-full-time', 'moneyline', 'set-betting',
    'outright-winner', 'scorer')),
  line_hundredths integer not null default 0,
  period text not null default 'full-time' check (period in ('full-time', 'half-time')),
  includes_overtime boolean not null default false,
  unique (fixture_id, kind, line_hundredths, period, includes_overtime)
);

create table selection (
  id integer generated always as identity primary key,
  market_id integer not null references market (id),
  key text not null check (key <> ''),
  name text not null check (name <> ''),
  participant_id integer references participant (id),
  position integer not null,
  unique (market_id, key)
);

create table price (
  selection_id integer not null references selection (id),
  bookmaker_id integer not null references bookmaker (id),
  odds_thousandths integer not null check (odds_thousandths between 1001 and 1000000),
  numerator integer,
  denominator integer,
  opening_thousandths integer not null,
  opening_numerator integer,
  opening_denominator integer,
  closing_thousandths integer,
  closing_numerator integer,
  closing_denominator integer,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  pulled_at timestamptz,
  primary key (selection_id, bookmaker_id)
);

create table price_change (
  selection_id integer not null references selection (id),
  bookmaker_id integer not null references bookmaker (id),
  at timestamptz not null,
  time_known boolean not null,
  odds_thousandths integer check (odds_thousandths between 1001 and 1000000),
  numerator integer,
  denominator integer,
  primary key (selection_id, bookmaker_id, at),
  check ((numerator is null) = (denominator is null))
);
