-- compatible from 0035
-- Settlement §2: which source says that a fixture was postponed (null for none), and when that was played which had been abandoned before, where that was later than the fixture's start.
alter table fixture add column postponed_by text check (postponed_by <> '');
alter table fixture_result add column started_at timestamptz;

drop trigger fixture_played_kept on fixture;
create trigger fixture_played_kept before update of starts_at, start_time_known, status, off_at, postponed_by on fixture for each row
  when (old.status = 'complete' and (old.starts_at, old.start_time_known, old.status, old.off_at, old.postponed_by)
    is distinct from (new.starts_at, new.start_time_known, new.status, new.off_at, new.postponed_by))
  execute function refuse_change();
alter table fixture enable always trigger fixture_played_kept;

-- Both leave a digest (0048); a row without them leaves the one that it left before.
do $$
declare
  kept record;
  event record;
begin
  for kept in select * from (values
    ('fixture', 'id', 'id, reference, league_id, season, name, home_id, away_id, starts_at, start_time_known, status, handicap, demo, case when postponed_by is null then off_at::text else concat_ws('' '', off_at, postponed_by) end'),
    ('fixture_result', 'fixture_id', 'version, home_score, away_score, scores, positions, abandoned, source, recorded_at, concat_ws('' '', places_known, started_at), scorers, ending')
  ) as listed (relation, about, columns) loop
    for event in select * from (values ('insert', 'new table as added'), ('update', 'old table as removed new table as added'), ('delete', 'old table as removed')) as listed (name, tables) loop
      execute format('drop trigger %I on %I', kept.relation || '_change_kept_' || event.name, kept.relation);
      execute format('create trigger %I after %s on %I referencing %s for each statement execute function keep_change(%L, %L, %L)',
        kept.relation || '_change_kept_' || event.name, event.name, kept.relation, event.tables, kept.about, kept.columns, 'true');
      execute format('alter table %I enable always trigger %I', kept.relation, kept.relation || '_change_kept_' || event.name);
    end loop;
  end loop;
end $$;

-- The fixtures whose first result came when bets on them were settled without one: these are settled anew, and the row goes.
create table played_due (fixture_id integer primary key references fixture (id));
