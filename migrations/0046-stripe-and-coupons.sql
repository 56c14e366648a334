-- compatible from 0035
-- What Stripe is asked for under our references, and the names that it gave what it made: so that asking again finds it. It knows nothing of orders and members.
create table stripe_customer (
  customer text primary key,
  -- The key that it is asked for with, so that asking twice makes one.
  reference text not null unique,
  stripe_id text unique,
  created_at timestamptz not null
);
create table stripe_payment (
  reference text primary key check (reference ~ '^[a-z0-9]{20}$'),
  kind text not null check (kind in ('page', 'charge')),
  customer text not null,
  amount_minor integer not null check (amount_minor >= 0),
  currency_id smallint not null check (currency_id in (1, 3, 4, 5, 6, 7)),
  -- The means of payment that a charge is for, by Stripe's name of it.
  method text,
  session_id text unique,
  url text,
  intent_id text unique,
  -- Why Stripe refused to make anything of it, in a sentence for the payer.
  failure text,
  -- How many keys were used up by answers that Stripe would only repeat.
  keys smallint not null default 0 check (keys >= 0),
  closed_at timestamptz,
  created_at timestamptz not null
);
-- Where an owner is paid out to: a connected account at Stripe.
create table stripe_account (
  owner text primary key,
  stripe_id text not null unique check (stripe_id ~ '^acct_[A-Za-z0-9]+$'),
  changed_at timestamptz not null
);

-- A coupon of the site is for every portfolio. What takes an amount off takes it off prices of its currency only.
alter table coupon
  alter column portfolio_id drop not null,
  add column currency_id smallint check (currency_id in (1, 3, 4, 5, 6, 7)),
  -- The periods of plans that it is for; all where it is not said.
  add column plan_periods text[] check (plan_periods <@ array['week', 'month', 'quarter', 'year'] and cardinality(plan_periods) > 0),
  add column once_each boolean not null default true;
update coupon set currency_id = coalesce((select main_currency_id from portfolio_sale where portfolio_sale.portfolio_id = coupon.portfolio_id), 1) where amount_minor is not null;
alter table coupon add check ((amount_minor is null) = (currency_id is null));
alter table coupon drop constraint coupon_portfolio_id_code_key;
create unique index coupon_code on coupon (coalesce(portfolio_id, 0), code);
create index customer_order_coupon on customer_order (coupon_id) where coupon_id is not null;
