create table post (
  id integer generated always as identity primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]{10}$'),
  portfolio_id integer not null references portfolio (id),
  idempotency_key text not null check (length(idempotency_key) between 1 and 100),
  request_hash text not null,
  title text not null check (length(title) between 3 and 120),
  -- Markdown.
  body text not null check (length(body) between 1 and 20000),
  premium_only boolean not null,
  published_at timestamptz not null,
  edited_at timestamptz check (edited_at >= published_at),
  unique (portfolio_id, idempotency_key)
);
create index post_portfolio on post (portfolio_id, published_at desc, id desc);

create table post_tip (
  post_id integer not null references post (id),
  position smallint not null check (position between 1 and 12),
  tip_id integer not null references tip (id),
  primary key (post_id, position),
  unique (post_id, tip_id)
);
