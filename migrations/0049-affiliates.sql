-- compatible from 0035
-- An affiliate is an account with a code of its own, under which whoever came by its link signs up.
create unique index account_affiliate on account (lower(affiliate_reference)) where affiliate_reference is not null;

create table affiliate_visit (
  account_id integer not null references account (id),
  day date not null,
  visits integer not null check (visits > 0),
  primary key (account_id, day)
);

create table referral (
  account_id integer primary key references account (id),
  affiliate_id integer not null references account (id) check (affiliate_id <> account_id),
  at timestamptz not null
);
create index referral_affiliate on referral (affiliate_id);

-- What staff pay for a new buyer's first paid membership.
create table affiliate_fee (
  currency_id smallint primary key check (currency_id in (1, 3, 4, 5, 6, 7)),
  amount_minor integer not null check (amount_minor > 0),
  changed_at timestamptz not null
);

-- A payout without a portfolio is an affiliate's.
alter table payout alter column portfolio_id drop not null;

-- What a plan promises: so many settled tips a period, and that a period without profit is followed by one at no charge. Each order keeps what was promised with it.
alter table plan
  add column tips_promised smallint check (tips_promised between 1 and 500),
  add column profit_or_free boolean not null default false;

-- How a period that was promised something came out, by the record, once.
create table guarantee_verdict (
  order_id integer primary key references customer_order (id),
  tips integer not null check (tips >= 0),
  profit_hundredths bigint not null,
  kept boolean not null,
  -- The payment that was given back for it: that of the next period, or its own where none followed.
  refunded_payment_id integer references payment (id),
  at timestamptz not null
);
