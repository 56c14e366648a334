-- compatible from 0035
-- Portfolios that staff hid, with the kind that each had, which it has again when they show it.
create table portfolio_hold (
  portfolio_id integer primary key references portfolio (id),
  visibility smallint not null check (visibility in (1, 2)),
  since timestamptz not null default clock_timestamp()
);

-- Portfolios that staff put first among those that are recommended.
create table portfolio_feature (
  portfolio_id integer primary key references portfolio (id),
  since timestamptz not null default clock_timestamp()
);

-- Four eyes: nobody approves what is paid to them.
alter table payout add constraint payout_four_eyes check (approved_by is null or approved_by <> owner_id);
