-- compatible from 0035
-- What did not agree between a provider of payments and the books when both were compared: open until a comparison of its time finds it no more, or until staff have said that it is settled.
create table money_difference (
  id integer generated always as identity primary key,
  -- The digest of what it says, by which it is known again.
  mark text not null unique,
  provider text not null,
  kind text not null,
  -- The provider's name of it, ours, and its order.
  entry text,
  reference text,
  order_reference text,
  what text not null,
  -- The shortest period whose comparison found it: to be compared again.
  period_from timestamptz not null,
  period_to timestamptz not null,
  found_at timestamptz not null,
  seen_at timestamptz not null,
  closed_at timestamptz,
  -- Staff closed it: it stays closed although it is found again.
  settled boolean not null default false,
  check (closed_at is not null or not settled)
);
create index money_difference_open on money_difference (id) where closed_at is null;
