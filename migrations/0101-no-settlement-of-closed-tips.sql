-- compatible from 0035
-- What the record has not opened it cannot settle: nobody could verify that.
create function refuse_settlement_of_closed() returns trigger language plpgsql as $$
declare
  wrong integer;
begin
  select min(sequence) into wrong from added where kind in ('tip-settled', 'tip-corrected')
    and (select opened_at is null from tip join tip_commitment on tip_id = tip.id where tip.reference = added.tip);
  if wrong is not null then
    raise exception 'entry % settles a tip whose commitment is closed', wrong using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_settles_open after insert on ledger_entry referencing new table as added for each statement execute function refuse_settlement_of_closed();
alter table ledger_entry enable always trigger ledger_entry_settles_open;

do $$
begin
  execute format('alter function refuse_settlement_of_closed() set search_path = %I, pg_temp', current_schema());
end $$;
