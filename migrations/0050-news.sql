-- compatible from 0035
-- What happened that somebody may want to hear of, written by the transaction that did it; `key` names it, so that it is told once.
create table event (
  id bigint generated always as identity primary key,
  key text not null unique check (length(key) <= 120),
  kind text not null check (kind in ('tip', 'post', 'settlement', 'correction', 'membership', 'payout', 'fixture-start', 'fixture-result', 'staff')),
  at timestamptz not null,
  portfolio_id integer references portfolio (id),
  tip_id integer references tip (id),
  post_id integer references post (id) on delete cascade,
  fixture_id integer references fixture (id),
  -- The version of a settlement or of a result.
  version smallint check (version > 0),
  -- The one whom it concerns; where nobody is named, whoever follows the portfolio or watches the fixture.
  -- Names no row by a constraint: that would hold the account after the portfolio, where everybody else holds it before.
  account_id integer,
  details jsonb not null default '{}',
  check (account_id is not null or portfolio_id is not null or fixture_id is not null)
);
create index event_at on event (at);
create index event_tip on event (tip_id) where tip_id is not null;
create index event_post on event (post_id) where post_id is not null;

-- How far an event has been given to those whom it is for: members in stage 0, all others in stage 1, each in the order of their ids.
create table event_spread (
  event_id bigint primary key references event (id) on delete cascade,
  stage smallint not null default 0 check (stage in (0, 1)),
  after_account integer not null default 0
);

-- What is to reach somebody by a channel, once.
create table delivery (
  id bigint generated always as identity primary key,
  event_id bigint not null references event (id) on delete cascade,
  account_id integer not null references account (id),
  channel text not null check (channel in ('app', 'email', 'push', 'telegram')),
  state text not null check (state in ('waiting', 'sent', 'dropped')),
  -- Why it was not sent.
  because text,
  -- Waits to go out with others in one mail a day.
  digest boolean not null default false,
  next_at timestamptz not null,
  attempts smallint not null default 0,
  read_at timestamptz,
  unique (event_id, account_id, channel),
  check ((state = 'dropped') = (because is not null)),
  check (channel = 'email' or not digest)
);
create index delivery_due on delivery (next_at, id) where state = 'waiting' and not digest;
create index delivery_digest on delivery (next_at, account_id) where state = 'waiting' and digest;
create index delivery_list on delivery (account_id, event_id) where channel = 'app';

-- What somebody chose to hear, of one portfolio or of all; where nothing is chosen the site's own choice stands. A row of all topics silences.
create table news_choice (
  account_id integer not null references account (id),
  portfolio_id integer references portfolio (id),
  topic text not null check (topic in ('all', 'tip', 'post', 'settlement', 'membership', 'payout', 'fixture', 'staff')),
  channel text not null check (channel in ('all', 'app', 'email', 'push', 'telegram')),
  wanted boolean not null,
  check ((topic = 'all') = (channel = 'all')),
  check (topic <> 'all' or not wanted)
);
create unique index news_choice_own on news_choice (account_id, coalesce(portfolio_id, 0), topic, channel);

-- When somebody is told: minutes of the day in their zone between which push, chat and mail are held, and the hour of the daily mail.
create table news_hours (
  account_id integer primary key references account (id),
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  digest_hour smallint check (digest_hour between 0 and 23),
  check ((quiet_from is null) = (quiet_until is null)),
  check (quiet_from <> quiet_until)
);

-- The links by which mails are stopped without signing in: they work for as long as there is the account.
create table mail_link (
  guid uuid primary key default gen_random_uuid(),
  account_id integer not null references account (id),
  -- None where the mail is about no portfolio, or about several.
  portfolio_id integer references portfolio (id)
);
create unique index mail_link_own on mail_link (account_id, coalesce(portfolio_id, 0));

insert into mail_link (guid, account_id, portfolio_id) select unsubscribe_guid, account_id, portfolio_id from follow;
insert into news_choice (account_id, portfolio_id, topic, channel, wanted)
  select account_id, portfolio_id, 'tip', 'email', false from follow where not tip_mails
  union all select account_id, portfolio_id, 'post', 'email', false from follow where not post_mails;

-- Addresses that take no mail.
create table mail_stop (
  address text primary key check (address = lower(address)),
  because text not null,
  at timestamptz not null
);

-- The fixtures whose start and result somebody wants to hear of.
create table fixture_watch (
  account_id integer not null references account (id),
  fixture_id integer not null references fixture (id),
  created_at timestamptz not null,
  primary key (account_id, fixture_id)
);
create index fixture_watch_fixture on fixture_watch (fixture_id, account_id);
