-- compatible from 0035
-- That a tip is hidden stands on no record where it is for members, too: what is hidden leaves a digest (0048).
do $$
declare
  event record;
begin
  -- The triggers first, which let no tip come in between.
  for event in select * from (values ('insert', 'new table as added'), ('update', 'old table as removed new table as added'), ('delete', 'old table as removed')) as listed (name, tables) loop
    execute format('create trigger %I after %s on tip referencing %s for each statement execute function keep_change(%L, %L, %L)',
      'tip_change_kept_' || event.name, event.name, event.tables, 'id', 'id, hidden', 'hidden');
    execute format('alter table tip enable always trigger %I', 'tip_change_kept_' || event.name);
  end loop;
  insert into kept_change (relation, about, digest)
    select 'tip', about, sum(('x' || left(hash, 15))::bit(60)::bigint::numeric * 1152921504606846976 + ('x' || substr(hash, 16, 15))::bit(60)::bigint)
    from (select id as about, encode(sha256(convert_to(row(id, hidden)::text, 'UTF8')), 'hex') as hash from tip where hidden) hashed group by about order by about;
end $$;
