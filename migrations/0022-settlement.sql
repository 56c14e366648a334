-- Amounts without a bound: twelve legs at the longest odds return 10^37 units.
alter table tip_settlement
  alter column return_microunits type numeric(60, 0),
  alter column profit_microunits type numeric(60, 0),
  alter column level_profit_microunits type numeric(60, 0);
alter table bet_settlement
  alter column return_microunits type numeric(60, 0),
  alter column profit_microunits type numeric(60, 0),
  alter column level_profit_microunits type numeric(60, 0);

-- What each leg was computed from, as it is sealed on the record; null for settlements of before.
alter table tip_settlement add column facts jsonb;

-- Tips of one portfolio are settled together, so that its day is written once for all of them.
alter table open_tip add column portfolio_id integer references portfolio (id);
update open_tip set portfolio_id = tip.portfolio_id from tip where tip.id = tip_id;
alter table open_tip alter column portfolio_id set not null;
create index open_tip_portfolio on open_tip (portfolio_id, due_at, tip_id);

-- Why a tip or a bet could not be settled when it was last looked at, and when that was; it holds up no other and is tried again.
alter table open_tip add column failure text, add column failed_at timestamptz, add check ((failure is null) = (failed_at is null));
create index open_tip_failed on open_tip (failed_at) where failed_at is not null;
alter table bet add column failure text, add column failed_at timestamptz, add check ((failure is null) = (failed_at is null));
create index bet_failed on bet (failed_at) where failed_at is not null;

-- The portfolios whose standings wait to be computed from days that settlement has changed.
create table standing_due (
  portfolio_id integer primary key references portfolio (id)
);

-- What a job has to say of its last run beside how it went.
alter table job_run add column note text;
