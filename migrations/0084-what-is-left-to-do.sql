-- compatible from 0035
-- Whose turn of the audit is next: the part that was longest without one.
alter table audit_progress add column turn_at timestamptz;

-- The bookings after which a payment has something held for a tipster, or for the teams of Pro, that is still to be released or shared; a row leaves
-- when nothing is. Written by the database, so that no booking is without.
create table earning_due (
  kind text not null check (kind in ('held', 'pro')),
  posting_id integer not null references posting (id),
  payment_id integer not null references payment (id),
  primary key (kind, posting_id)
);
create index earning_due_payment on earning_due (kind, payment_id);
create function note_earnings() returns trigger language plpgsql security definer as $$
begin
  insert into earning_due (kind, posting_id, payment_id)
  select distinct money_account.kind, posting.id, posting.payment_id
  from added join money_account on money_account.id = account_id and money_account.kind in ('held', 'pro')
  join posting on posting.id = posting_id and payment_id is not null and posting.kind not in ('release', 'share');
  return null;
end $$;
do $$
begin
  execute format('alter function note_earnings() set search_path = %I, pg_temp', current_schema());
end $$;
create trigger posting_line_earning_noted after insert on posting_line referencing new table as added for each statement execute function note_earnings();
alter table posting_line enable always trigger posting_line_earning_noted;
insert into earning_due (kind, posting_id, payment_id)
select money_account.kind, min(posting.id), payment_id
from money_account join posting_line on account_id = money_account.id join posting on posting.id = posting_id
where money_account.kind in ('held', 'pro') and payment_id is not null group by money_account.kind, payment_id having sum(amount_minor) <> 0;

-- The paid orders that were sold with a promise; most are not.
create index customer_order_promised on customer_order (id)
  where status = 'paid' and amount_minor > 0 and ((terms ->> 'tipsPromised') is not null or (terms ->> 'profitOrFree')::bool);

-- The corrected results whose bets are settled by them.
create table bet_resettlement (
  fixture_id integer not null,
  version integer not null,
  done_at timestamptz not null,
  primary key (fixture_id, version),
  foreign key (fixture_id, version) references fixture_result (fixture_id, version)
);

-- The portfolios whose standings were computed since their sketches were looked at, and when.
create table sketch_due (
  portfolio_id integer primary key references portfolio (id),
  changed_at timestamptz not null default clock_timestamp()
);
insert into sketch_due (portfolio_id) select distinct portfolio_id from portfolio_standing;

-- The audit asks of each seal that the record signed whether it is there.
create index kept_seal_digest on kept_seal (digest);
