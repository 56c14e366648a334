-- compatible from 0035
-- A browser that a push service takes messages for, at the wish of a member.
create table push_subscription (
  id integer generated always as identity primary key,
  account_id integer not null references account (id),
  endpoint text not null unique check (length(endpoint) <= 2000),
  p256dh text not null,
  auth text not null,
  device text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index push_subscription_account on push_subscription (account_id, id);

-- The chat in which the site's bot tells a member; one a member and one a chat.
create table telegram_link (
  account_id integer primary key references account (id),
  chat_id bigint not null unique,
  name text not null,
  linked_at timestamptz not null
);

-- The code by which a chat shows whose it is, as a hash, once and for some minutes.
create table telegram_code (
  account_id integer primary key references account (id),
  code_hash text not null unique,
  expires_at timestamptz not null
);

-- How far the messages to the bot were read.
create table telegram_progress (
  only_row boolean primary key default true check (only_row),
  update_id bigint not null
);
insert into telegram_progress (update_id) values (0);
