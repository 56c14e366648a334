create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: what was published is never changed or deleted', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;

create table tip (
  id integer generated always as identity primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]{10}$'),
  portfolio_id integer not null references portfolio (id),
  idempotency_key text not null check (length(idempotency_key) between 1 and 100),
  request_hash text not null,
  published_at timestamptz not null,
  first_starts_at timestamptz not null check (first_starts_at > published_at),
  stake_hundredths integer not null check (stake_hundredths between 10 and 1000),
  each_way boolean not null,
  free boolean not null,
  hidden boolean not null,
  analysis text not null check (length(analysis) <= 10000),
  unique (portfolio_id, idempotency_key)
);
create index tip_portfolio on tip (portfolio_id, published_at desc, id desc);
create index tip_published on tip (published_at desc, id desc);

create table tip_leg (
  tip_id integer not null references tip (id),
  position smallint not null check (position between 1 and 12),
  fixture_id integer not null references fixture (id),
  market_id integer not null references market (id),
  selection_id integer not null references selection (id),
  bookmaker_id integer not null references bookmaker (id),
  odds_thousandths integer not null check (odds_thousandths between 1001 and 1000000),
  numerator integer,
  denominator integer,
  price_at timestamptz not null,
  starts_at timestamptz not null,
  each_way_places smallint,
  each_way_numerator smallint,
  each_way_denominator smallint,
  each_way_basis text check (each_way_basis in ('standard', 'fixed')),
  primary key (tip_id, position),
  unique (tip_id, fixture_id)
);
create index tip_leg_fixture on tip_leg (fixture_id, tip_id);

create table tip_settlement (
  tip_id integer not null references tip (id),
  version integer not null check (version > 0),
  -- The place of this settlement in the ledger.
  sequence integer not null,
  outcome text not null,
  staked_hundredths integer not null check (staked_hundredths >= 0),
  return_microunits bigint not null check (return_microunits >= 0),
  profit_microunits bigint not null,
  level_profit_microunits bigint not null,
  level_staked_hundredths integer not null check (level_staked_hundredths >= 0),
  legs jsonb not null,
  -- Which version of each fixture's result it went by.
  results jsonb not null,
  reason text,
  actor text not null,
  settled_at timestamptz not null,
  primary key (tip_id, version),
  check (version = 1 or reason is not null)
);
create index tip_settlement_settled on tip_settlement (settled_at desc, tip_id desc);

-- The tips that wait for their fixtures; a row leaves when its tip is settled.
create table open_tip (
  tip_id integer primary key references tip (id),
  due_at timestamptz not null,
  attempts integer not null default 0
);
create index open_tip_due on open_tip (due_at, tip_id);

-- The corrected results whose tips were settled anew.
create table resettlement (
  fixture_id integer not null,
  version integer not null,
  done_at timestamptz not null,
  primary key (fixture_id, version),
  foreign key (fixture_id, version) references fixture_result (fixture_id, version)
);
create index fixture_result_corrected on fixture_result (recorded_at) where version > 1;

create trigger tip_kept before update or delete on tip for each row execute function refuse_change();
create trigger tip_not_emptied before truncate on tip for each statement execute function refuse_change();
create trigger tip_leg_kept before update or delete on tip_leg for each row execute function refuse_change();
create trigger tip_leg_not_emptied before truncate on tip_leg for each statement execute function refuse_change();
create trigger tip_settlement_kept before update or delete on tip_settlement for each row execute function refuse_change();
create trigger tip_settlement_not_emptied before truncate on tip_settlement for each statement execute function refuse_change();
create trigger price_change_kept before update or delete on price_change for each row execute function refuse_change();
create trigger price_change_not_emptied before truncate on price_change for each statement execute function refuse_change();
alter table tip enable always trigger tip_kept, enable always trigger tip_not_emptied;
alter table tip_leg enable always trigger tip_leg_kept, enable always trigger tip_leg_not_emptied;
alter table tip_settlement enable always trigger tip_settlement_kept, enable always trigger tip_settlement_not_emptied;
alter table price_change enable always trigger price_change_kept, enable always trigger price_change_not_emptied;
