-- What bookmakers differ in, from a moment on: a row is for one sport or all (null), at one bookmaker or all (null), and changes what it names.
create table settlement_setting (
  id integer generated always as identity primary key,
  sport_id smallint check (sport_id between 1 and 21),
  bookmaker_id integer references bookmaker (id),
  from_at timestamptz not null,
  retirement_rule text check (retirement_rule in ('complete', 'one-set', 'progress')),
  postponement_hours integer check (postponement_hours between 0 and 8760),
  rule4_minimum_pence smallint check (rule4_minimum_pence in (5, 10)),
  check (num_nonnulls(retirement_rule, postponement_hours, rule4_minimum_pence) > 0)
);
create index settlement_setting_bookmaker on settlement_setting (bookmaker_id);
create trigger settlement_setting_kept before update or delete on settlement_setting for each row execute function refuse_change();
create trigger settlement_setting_not_emptied before truncate on settlement_setting for each statement execute function refuse_change();
alter table settlement_setting enable always trigger settlement_setting_kept, enable always trigger settlement_setting_not_emptied;

-- The order of settlement, of the tips too that are not on the public record and have no place in the ledger.
alter table tip_settlement add column ordinal integer generated always as identity;
alter table tip_settlement alter column sequence drop not null;
create unique index tip_settlement_ordinal on tip_settlement (ordinal);

-- The tips of a personal portfolio never enter the public record, so it stays personal and no other becomes so.
create function keep_personal() returns trigger language plpgsql as $$
begin
  if (old.visibility = 0) <> (new.visibility = 0) then
    raise exception 'a personal portfolio stays personal, and no other becomes one' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger portfolio_personal_kept before update of visibility on portfolio for each row execute function keep_personal();
