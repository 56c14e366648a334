-- compatible from 0035
-- Days of an earlier fold are asked for every few seconds, and found by this alone.
create index portfolio_day_behind_3 on portfolio_day (portfolio_id, day) where fold < 3;

-- The end of the period of which a member was told that it needs another card.
alter table membership add column card_asked_of timestamptz;

-- That a source switched home and away makes bets void: it stays as it is once the match was played, and leaves a digest (0048); a row without it leaves the one that it left before.
drop trigger fixture_played_kept on fixture;
create trigger fixture_played_kept before update of starts_at, start_time_known, status, off_at, postponed_by, switched_by on fixture for each row
  when (old.status = 'complete' and (old.starts_at, old.start_time_known, old.status, old.off_at, old.postponed_by, old.switched_by)
    is distinct from (new.starts_at, new.start_time_known, new.status, new.off_at, new.postponed_by, new.switched_by))
  execute function refuse_change();
alter table fixture enable always trigger fixture_played_kept;

do $$
declare
  columns text := 'id, reference, league_id, season, name, home_id, away_id, starts_at, start_time_known, status, handicap, demo, case when postponed_by is null and switched_by is null then off_at::text when switched_by is null then concat_ws('' '', off_at, postponed_by) else concat_ws('' '', off_at, postponed_by, ''switched by'', switched_by) end';
  event record;
begin
  for event in select * from (values ('insert', 'new table as added'), ('update', 'old table as removed new table as added'), ('delete', 'old table as removed')) as listed (name, tables) loop
    execute format('drop trigger %I on fixture', 'fixture_change_kept_' || event.name);
    execute format('create trigger %I after %s on fixture referencing %s for each statement execute function keep_change(%L, %L, %L)',
      'fixture_change_kept_' || event.name, event.name, event.tables, 'id', columns, 'true');
    execute format('alter table fixture enable always trigger %I', 'fixture_change_kept_' || event.name);
  end loop;
end $$;
