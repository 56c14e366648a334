-- Bets of one's own: private to their member, in no public answer and not on the record.
create table bet (
  id integer generated always as identity primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]{10}$'),
  account_id integer not null references account (id) on delete cascade,
  idempotency_key text not null check (length(idempotency_key) between 1 and 100),
  request_hash text not null,
  -- When it was struck, by the member's word where its prices are their own, and when it was entered.
  placed_at timestamptz not null,
  entered_at timestamptz not null check (entered_at >= placed_at),
  first_starts_at timestamptz not null check (first_starts_at > placed_at),
  -- In minor units of the currency, or hundredths of a unit; of each part when it is each-way.
  stake_minor integer not null check (stake_minor between 1 and 100000000),
  currency_id smallint not null check (currency_id between 1 and 7),
  each_way boolean not null,
  tip_id integer references tip (id),
  -- When its results are looked at next; null once it is settled.
  due_at timestamptz,
  attempts integer not null default 0,
  unique (account_id, idempotency_key)
);
create index bet_account on bet (account_id, placed_at desc, id desc);
create index bet_due on bet (due_at, id) where due_at is not null;
create index bet_tip on bet (tip_id) where tip_id is not null;

create table bet_leg (
  bet_id integer not null references bet (id) on delete cascade,
  position smallint not null check (position between 1 and 12),
  fixture_id integer not null references fixture (id),
  market_id integer not null references market (id),
  selection_id integer not null references selection (id),
  -- A bookmaker of ours, or the name of another.
  bookmaker_id integer references bookmaker (id),
  bookmaker_name text check (length(bookmaker_name) between 1 and 60),
  odds_thousandths integer not null check (odds_thousandths between 1001 and 1000000),
  numerator integer,
  denominator integer,
  -- True where the price was not seen on offer at the time.
  own_price boolean not null,
  starts_at timestamptz not null,
  each_way_places smallint,
  each_way_numerator smallint,
  each_way_denominator smallint,
  each_way_basis text check (each_way_basis in ('standard', 'fixed')),
  primary key (bet_id, position),
  unique (bet_id, fixture_id),
  check ((bookmaker_id is null) <> (bookmaker_name is null)),
  check (bookmaker_id is not null or own_price)
);
create index bet_leg_fixture on bet_leg (fixture_id, bet_id);

create table bet_settlement (
  bet_id integer not null references bet (id) on delete cascade,
  version integer not null check (version > 0),
  -- The order of settlement.
  ordinal integer generated always as identity unique,
  outcome text not null,
  staked_minor integer not null check (staked_minor >= 0),
  -- Millionths of a unit, or of a hundred minor units.
  return_microunits bigint not null check (return_microunits >= 0),
  profit_microunits bigint not null,
  level_staked_hundredths integer not null check (level_staked_hundredths >= 0),
  level_profit_microunits bigint not null,
  legs jsonb not null,
  -- Which version of each fixture's result it goes by.
  results jsonb not null,
  reason text,
  settled_at timestamptz not null,
  primary key (bet_id, version),
  check (version = 1 or reason is not null)
);
