-- What a side played last, at home and away.
create index fixture_home on fixture (home_id, starts_at desc);
create index fixture_away on fixture (away_id, starts_at desc);

-- What a race card says of a runner beside its number; nothing is settled by it.
alter table runner
  add column jockey text check (length(jockey) between 1 and 100),
  add column trainer text check (length(trainer) between 1 and 100),
  add column weight_pounds smallint check (weight_pounds > 0),
  add column draw smallint check (draw > 0);

-- How a result came about where the score does not say it: 'KO, round 7', 'Points'.
alter table fixture_result add column finish text check (length(finish) between 1 and 60);

-- Teams, players and runners are found by themselves, those of past seasons too.
alter table search_entry drop constraint search_entry_kind_check;
alter table search_entry add constraint search_entry_kind_check check (kind in ('sport', 'league', 'team', 'fixture', 'portfolio', 'page'));
