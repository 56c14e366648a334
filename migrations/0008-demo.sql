-- The demo world: how far its making has come, up to which moment its feed was read, and the day after the last that is known.
create table demo_world (
  only_row boolean primary key default true check (only_row),
  seed text not null,
  began_at timestamptz not null,
  rounds_made integer not null default 0,
  fed_until timestamptz,
  days_until date,
  finished_at timestamptz
);
