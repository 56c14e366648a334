-- compatible from 0035
-- As before: what an entry says beside its content stands at its end and is compared there. Bytes are counted where characters were, a moment that the entry
-- before has told already is not read again, and what is hashed is put together from the two parts of the entry instead of searched for in the whole.
create or replace function refuse_foreign_entries() returns trigger language plpgsql as $$
declare
  wrong integer;
begin
  with known as materialized (
    select named.portfolio, coalesce(last.portfolio_sequence, 0) as entries
    from (select distinct portfolio from added where portfolio is not null) named cross join ledger_head head
    left join lateral (
      select known.portfolio_sequence from ledger_entry known where known.portfolio = named.portfolio and known.sequence <= head.sequence order by known.portfolio_sequence desc limit 1) last on true
  ), placed as (
    select added.sequence, portfolio_sequence, portfolio, added.hash, entry, substr(entry, 8, 24) as told_at, row_number() over in_order as place, row_number() over (partition by portfolio order by added.sequence) as own_place,
      lag(substr(entry, 8, 24)) over in_order as at_before, convert_to(entry, 'UTF8') as bytes,
      convert_to('"kind":' || to_json(kind) || case when portfolio is null then '' else ',"portfolio":' || to_json(portfolio) || ',"portfolioSequence":' || portfolio_sequence end
        || ',"previousHash":"' || coalesce(lag(added.hash) over in_order, head.hash) || '","sequence":' || added.sequence || case when tip is null then '' else ',"tip":' || to_json(tip) end || '}', 'UTF8') as ending,
      head.sequence as head_sequence, head.at as head_at
    from added cross join ledger_head head window in_order as (order by added.sequence)
  ), parted as (
    select *, greatest(0, octet_length(bytes) - octet_length(ending) - length('},"hash":"",') - 64) as content_ends from placed
  )
  select min(sequence) into wrong from (
    select sequence,
      sequence = head_sequence + place
        and case when told_at = at_before then true
          else told_at ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$' and told_at::timestamptz >= coalesce(at_before::timestamptz, head_at) end
        and (portfolio is null or portfolio_sequence = own_place + entries)
        and starts_with(entry, '{"at":"' || told_at || '","content":{')
        and substr(bytes, content_ends + 1) = convert_to('},"hash":"' || hash || '",', 'UTF8') || ending
        and entry::json is not null
        and encode(sha256(substr(bytes, 1, content_ends + 2) || ending), 'hex') = hash as follows
    from parted left join known using (portfolio)
  ) judged where follows is not true;
  if wrong is not null then
    raise exception 'entry % does not follow on the end of the ledger', wrong using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

do $$
begin
  execute format('alter function refuse_foreign_entries() set search_path = %I, pg_temp', current_schema());
end $$;
