-- compatible from 0035
-- What the site itself sells, a membership called Tipledger Pro, has plans, orders and memberships as a portfolio has, and is of no portfolio.
alter table plan alter column portfolio_id drop not null;
create unique index plan_of_pro on plan (period) where portfolio_id is null;
alter table plan add constraint plan_of_pro_period check (portfolio_id is not null or period in ('month', 'year'));

alter table customer_order alter column portfolio_id drop not null;
create unique index customer_order_live_pro on customer_order (account_id) where portfolio_id is null and kind = 'first' and status in ('open', 'processing');

alter table membership alter column portfolio_id drop not null;
alter table membership add constraint membership_of_something check (portfolio_id is not null or plan_id is not null);
create unique index membership_running_pro on membership (account_id) where portfolio_id is null and ended_at is null;

-- Which portfolios a member of Pro reads, from when to when. Whoever left it, and when, stays, since earnings are shared by days.
create table pro_team (
  id integer generated always as identity primary key,
  account_id integer not null references account (id),
  portfolio_id integer not null references portfolio (id),
  joined_at timestamptz not null,
  left_at timestamptz check (left_at >= joined_at),
  -- True where it took another one's place: one such change is free each week.
  switched boolean not null default false
);
create unique index pro_team_now on pro_team (account_id, portfolio_id) where left_at is null;
create index pro_team_of on pro_team (account_id, joined_at);
create index pro_team_portfolio on pro_team (portfolio_id) where left_at is null;

-- Of what Pro earns, the part of the teams waits in an account of its own until it is shared.
alter table money_account drop constraint money_account_kind_check;
alter table money_account add constraint money_account_kind_check
  check (kind in ('clearing', 'fees', 'tax', 'platform', 'held', 'payable', 'affiliate-held', 'affiliate-payable', 'refunds', 'chargebacks', 'payouts', 'pro'));
alter table posting drop constraint posting_kind_check;
alter table posting add constraint posting_kind_check
  check (kind in ('sale', 'release', 'refund', 'refunded', 'chargeback', 'payout', 'paid-out', 'payout-failed', 'correction', 'share', 'share-back', 'affiliate', 'affiliate-back', 'affiliate-release'));

-- What of a payment for Pro was shared, and for which time.
create table pro_share (
  payment_id integer not null references payment (id),
  since timestamptz not null,
  until timestamptz not null check (until > since),
  amount_minor integer not null check (amount_minor > 0),
  primary key (payment_id, until)
);
