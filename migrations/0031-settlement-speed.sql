-- What the standings of a day go on from: the sums of the days before it, over each time range that ends with that day. Kept until a day before it changes.
create table standing_base (
  portfolio_id integer not null references portfolio (id),
  sport_id smallint not null,
  day date not null,
  sums json not null,
  primary key (portfolio_id, sport_id)
);

-- As before, with each entry read once and each portfolio's last entry looked up once.
create or replace function refuse_foreign_entries() returns trigger language plpgsql as $$
declare
  wrong integer;
begin
  with told as materialized (
    select added.*, added.entry::jsonb as told from added
  ), placed as materialized (
    select told.*, (told ->> 'at')::timestamptz as at, row_number() over in_order as place, row_number() over (partition by portfolio order by sequence) as own_place,
      lag(hash) over in_order as hash_before, lag((told ->> 'at')::timestamptz) over in_order as at_before
    from told window in_order as (order by sequence)
  ), known as materialized (
    select named.portfolio, coalesce(last.portfolio_sequence, 0) as entries
    from (select distinct portfolio from added where portfolio is not null) named cross join ledger_head head
    left join lateral (
      select known.portfolio_sequence from ledger_entry known where known.portfolio = named.portfolio and known.sequence <= head.sequence order by known.portfolio_sequence desc limit 1) last on true
  )
  select min(sequence) into wrong from (
    select placed.sequence,
      placed.sequence = head.sequence + place
        and told ->> 'previousHash' = coalesce(hash_before, head.hash)
        and placed.at >= coalesce(at_before, head.at)
        and (placed.portfolio is null or placed.portfolio_sequence = own_place + known.entries)
        and (told ->> 'sequence', told ->> 'portfolioSequence', told ->> 'kind', told ->> 'portfolio', told ->> 'tip', told ->> 'hash')
          is not distinct from (placed.sequence::text, placed.portfolio_sequence::text, placed.kind, placed.portfolio, placed.tip, placed.hash)
        and encode(sha256(convert_to(replace(placed.entry, '"hash":"' || placed.hash || '",', ''), 'UTF8')), 'hex') = placed.hash as follows
    from placed cross join ledger_head head left join known on known.portfolio = placed.portfolio
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
