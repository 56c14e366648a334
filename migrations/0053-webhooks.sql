-- compatible from 0035
-- Where a portfolio's owner has its events sent, and the secret that signs them.
create table webhook (
  portfolio_id integer primary key references portfolio (id),
  address text not null check (length(address) <= 2000),
  secret text not null,
  -- Events from before are not sent.
  since timestamptz not null,
  -- Deliveries that failed one after the other.
  failures smallint not null default 0,
  paused_at timestamptz
);

-- What was sent or is to be sent; the body stays the same at every try.
create table webhook_delivery (
  id bigint generated always as identity primary key,
  portfolio_id integer not null references webhook (portfolio_id) on delete cascade,
  -- None of a test.
  event_key text,
  kind text not null,
  body text not null,
  state text not null check (state in ('waiting', 'sent', 'failed')),
  attempts smallint not null default 0,
  next_at timestamptz not null,
  created_at timestamptz not null,
  answered_at timestamptz,
  -- The status of the last answer, or why there was none.
  status smallint,
  problem text,
  unique (portfolio_id, event_key)
);
create index webhook_delivery_due on webhook_delivery (next_at, id) where state = 'waiting';
create index webhook_delivery_log on webhook_delivery (portfolio_id, id desc);
