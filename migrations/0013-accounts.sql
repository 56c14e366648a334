alter table account
  add column email text check (email ~ '@' and length(email) <= 254),
  -- Argon2id; an account without one, such as those of the demo world, cannot sign in.
  add column password_hash text,
  add column email_confirmed boolean not null default false,
  add column news boolean not null default false,
  -- The two letters of the country in which the account was opened.
  add column location text check (location ~ '^[A-Z]{2}$'),
  add column max_stake_hundredths integer not null default 1000 check (max_stake_hundredths between 1 and 100000000),
  add column bet_currency_id smallint not null default 2 check (bet_currency_id between 1 and 7),
  add column buy_currency_id smallint not null default 1 check (buy_currency_id between 1 and 7),
  -- Null is the default of the site.
  add column country_id smallint,
  add column timezone_id smallint,
  add column odds_display text not null default 'decimal' check (odds_display in ('decimal', 'fraction', 'moneyline')),
  add column affiliate_reference text unique,
  add column deleted_at timestamptz,
  add check (deleted_at is null or (email is null and password_hash is null));
create unique index account_email on account (lower(email));

-- Each follow has a guid by which its mails can be stopped without signing in.
alter table follow
  add column unsubscribe_guid uuid not null default gen_random_uuid() unique,
  add column tip_mails boolean not null default true,
  add column post_mails boolean not null default true;

-- The keys that sign access tokens: one signs for a while, and is believed for longer.
create table token_key (
  id text primary key,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  signs_until timestamptz not null,
  verifies_until timestamptz not null check (verifies_until > signs_until)
);

create table secret (
  name text primary key,
  value text not null
);

-- One login and all the refresh tokens that follow from it.
create table session (
  id text primary key,
  account_id integer not null references account (id),
  cookie_hash text not null unique,
  address text not null,
  device text not null,
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text check ((revoked_because is null) = (revoked_at is null))
);
create index session_account on session (account_id, used_at desc);
create index session_expired on session (expires_at);

create table refresh_token (
  hash text primary key,
  session_id text not null references session (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The token that came of it, readable only by whoever holds this one.
  successor text,
  check ((used_at is null) = (successor is null))
);
create index refresh_token_session on refresh_token (session_id);
create index refresh_token_expired on refresh_token (expires_at);

create table login_attempt (
  key text primary key,
  window_start timestamptz not null,
  attempts integer not null
);

-- The code that is out for an account; a new one takes its place.
create table account_code (
  account_id integer not null references account (id),
  purpose text not null check (purpose in ('confirm', 'password')),
  code_hash text not null,
  guid_hash text not null unique,
  expires_at timestamptz not null,
  tries integer not null default 0,
  primary key (account_id, purpose)
);

-- Codes asked for by address, known or not: looked up after the answer, so that it takes the same time.
create table code_request (
  id integer generated always as identity primary key,
  email text not null,
  purpose text not null check (purpose in ('confirm', 'password')),
  asked_at timestamptz not null
);

create table spent_proof (
  id text primary key,
  expires_at timestamptz not null
);

create table mail_outbox (
  id integer generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  headers jsonb not null default '{}',
  created_at timestamptz not null,
  next_at timestamptz not null,
  attempts integer not null default 0,
  failure text
);
create index mail_outbox_due on mail_outbox (next_at, id);
create index mail_outbox_recipient on mail_outbox (lower(recipient));
