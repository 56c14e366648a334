-- compatible from 0035
-- Who scored and which players took no part, by which scorers are settled, and what did not end by its score (settlement §2, §3).
alter table fixture_result
  add column scorers jsonb,
  add column ending text check (ending in ('walkover', 'home-retired', 'away-retired'));

-- Both are settled by, so they are among what is kept of a result (0048). The sums of what stands are raised by the difference that the new columns make.
do $$
declare
  listed constant text := 'version, home_score, away_score, scores, positions, abandoned, source, recorded_at, places_known';
  hashed constant text := $text$select fixture_id as about, %s (('x' || left(hash, 15))::bit(60)::bigint::numeric * 1152921504606846976 + ('x' || substr(hash, 16, 15))::bit(60)::bigint) as digest
    from fixture_result, lateral (select encode(sha256(convert_to(row(%s)::text, 'UTF8')), 'hex') as hash) hashed$text$;
  event record;
begin
  perform set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO, YMD', true), set_config('extra_float_digits', '1', true);
  execute format('insert into kept_change (relation, about, digest) select %L, about, sum(digest) from (%s union all %s) changed group by about having sum(digest) <> 0 order by about',
    'fixture_result', format(hashed, '', listed || ', scorers, ending'), format(hashed, '-', listed));
  for event in select * from (values ('insert', 'new table as added'), ('update', 'old table as removed new table as added'), ('delete', 'old table as removed')) as events (name, tables) loop
    execute format('drop trigger fixture_result_change_kept_%s on fixture_result', event.name);
    execute format('create trigger fixture_result_change_kept_%s after %s on fixture_result referencing %s for each statement execute function keep_change(%L, %L, %L)',
      event.name, event.name, event.tables, 'fixture_id', listed || ', scorers, ending', 'true');
    execute format('alter table fixture_result enable always trigger fixture_result_change_kept_%s', event.name);
  end loop;
end $$;
