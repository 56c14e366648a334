-- What the standings of a day go on from: the sums of the days before it, over each time range that ends with that day. Kept until a day before it changes.
create table standing_base (
  portfolio_id integer not null references portfolio (id),
  sport_id smallint not null,
  day date not null,
  sums json not null,
  primary key (portfolio_id, sport_id)
);

-- As before: canonical JSON has its names in order, so that what an entry says beside its content stands at its beginning and end, where it is compared without parsing.
create or replace function refuse_foreign_entries() returns trigger language plpgsql as $$
declare
  wrong integer;
begin
  with placed as materialized (
    select added.*, substr(entry, 8, 24) as told_at, row_number() over in_order as place, row_number() over (partition by portfolio order by sequence) as own_place,
      lag(hash) over in_order as hash_before, lag(substr(entry, 8, 24)) over in_order as at_before
    from added window in_order as (order by sequence)
  ), known as materialized (
    select named.portfolio, coalesce(last.portfolio_sequence, 0) as entries
    from (select distinct portfolio from added where portfolio is not null) named cross join ledger_head head
    left join lateral (
      select known.portfolio_sequence from ledger_entry known where known.portfolio = named.portfolio and known.sequence <= head.sequence order by known.portfolio_sequence desc limit 1) last on true
  ), expected as materialized (
    select placed.*, head.sequence as head_sequence, head.at as head_at, known.entries, '{"at":"' || told_at || '","content":{' as beginning,
      '},"hash":"' || placed.hash || '","kind":' || to_json(kind) || case when placed.portfolio is null then '' else ',"portfolio":' || to_json(placed.portfolio) || ',"portfolioSequence":' || portfolio_sequence end
        || ',"previousHash":"' || coalesce(hash_before, head.hash) || '","sequence":' || placed.sequence || case when tip is null then '' else ',"tip":' || to_json(tip) end || '}' as ending
    from placed cross join ledger_head head left join known on known.portfolio = placed.portfolio
  )
  select min(sequence) into wrong from (
    select sequence,
      sequence = head_sequence + place
        and told_at ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$'
        and told_at::timestamptz >= coalesce(at_before::timestamptz, head_at)
        and (portfolio is null or portfolio_sequence = own_place + entries)
        and starts_with(entry, beginning) and right(entry, length(ending)) = ending
        and entry::json is not null
        and encode(sha256(convert_to(replace(entry, '"hash":"' || hash || '",', ''), 'UTF8')), 'hex') = hash as follows
    from expected
  ) judged where follows is not true;
  if wrong is not null then
    raise exception 'entry % does not follow on the end of the ledger', wrong using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- As before, with leaves and inner nodes each looked up by their own key.
create or replace function refuse_foreign_nodes() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select min(level || '/' || index) into wrong from (
    select added.level, added.index, added.hash, (select '\x00'::bytea || decode(entry.hash, 'hex') from ledger_entry entry where entry.sequence = added.index + 1) as data
    from added where added.level = 0
    union all
    select added.level, added.index, added.hash, '\x01'::bytea
        || decode((select first.hash from ledger_node first where first.level = added.level - 1 and first.index = 2 * added.index), 'hex')
        || decode((select second.hash from ledger_node second where second.level = added.level - 1 and second.index = 2 * added.index + 1), 'hex')
    from added where added.level <> 0
  ) known where hash is distinct from encode(sha256(data), 'hex');
  if wrong is not null then
    raise exception 'node % is not that of the tree over the entries', wrong using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

do $$
declare
  each text;
begin
  foreach each in array array['refuse_foreign_entries()', 'refuse_foreign_nodes()'] loop
    execute format('alter function %s set search_path = %I, pg_temp', each, current_schema());
  end loop;
end $$;

-- What a standing shows is kept as its sums: those from before are computed again by the next run of settlement, and are shown as they are until then.
insert into standing_due (portfolio_id) select distinct portfolio_id from portfolio_standing on conflict do nothing;
