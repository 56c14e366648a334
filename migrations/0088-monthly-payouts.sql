-- compatible from 0035
-- Who is paid out each month without asking, and since when.
create table monthly_payout (
  account_id integer primary key references account (id),
  since timestamptz not null
);
-- The payouts of an owner, which their pages list.
create index payout_owner on payout (owner_id, id);
