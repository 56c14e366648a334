create table account (
  id integer generated always as identity primary key,
  username text not null check (username ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(username) <= 40) unique,
  role smallint not null default 0 check (role in (0, 1, 2)),
  pro boolean not null default false,
  demo boolean not null default false,
  created_at timestamptz not null
);

create table portfolio (
  id integer generated always as identity primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  owner_id integer not null references account (id),
  name text not null check (name <> '' and length(name) <= 80),
  description text not null default '' check (length(description) <= 4000),
  visibility smallint not null check (visibility between 0 and 3),
  default_tip_stake_hundredths integer not null default 100 check (default_tip_stake_hundredths between 10 and 1000),
  welcome_message text not null default '' check (length(welcome_message) <= 2000),
  premium_welcome_message text not null default '' check (length(premium_welcome_message) <= 2000),
  coupon_id integer,
  tipledger_pro boolean not null default false,
  demo boolean not null default false,
  created_at timestamptz not null,
  abandoned_at timestamptz
);
create index portfolio_owner on portfolio (owner_id);

create table follow (
  account_id integer not null references account (id),
  portfolio_id integer not null references portfolio (id),
  max_stake_hundredths integer not null check (max_stake_hundredths > 0),
  created_at timestamptz not null,
  primary key (account_id, portfolio_id)
);
create index follow_portfolio on follow (portfolio_id, created_at);

create table membership (
  id integer generated always as identity primary key,
  account_id integer not null references account (id),
  portfolio_id integer not null references portfolio (id),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at)
);
create index membership_account on membership (account_id, ends_at);
create index membership_portfolio on membership (portfolio_id, ends_at);
