alter table fixture
  add column handicap boolean not null default false,
  add column off_at timestamptz;

-- How a source tells its fixtures apart, where it has a way of its own.
create table fixture_source (
  source text not null,
  source_id text not null check (source_id <> ''),
  fixture_id integer not null references fixture (id),
  primary key (source, source_id)
);
create index fixture_source_fixture on fixture_source (fixture_id, source);

create table runner (
  fixture_id integer not null references fixture (id),
  participant_id integer not null references participant (id),
  position integer not null,
  number integer check (number > 0),
  withdrawn_at timestamptz,
  withdrawal_thousandths integer check (withdrawal_thousandths between 1001 and 1000000),
  withdrawal_numerator integer,
  withdrawal_denominator integer,
  starting_thousandths integer check (starting_thousandths between 1001 and 1000000),
  starting_numerator integer,
  starting_denominator integer,
  primary key (fixture_id, participant_id),
  check (withdrawal_thousandths is null or withdrawn_at is not null),
  check ((withdrawal_numerator is null) = (withdrawal_denominator is null)),
  check ((starting_numerator is null) = (starting_denominator is null))
);
create index runner_participant on runner (participant_id, fixture_id);

alter table fixture_result add column places_known integer not null default 0 check (places_known >= 0);
