-- compatible from 0035
-- A connected account is asked of Stripe under a reference of ours, by which it is found again where its answer was lost.
alter table stripe_account
  alter column stripe_id drop not null,
  add column reference text unique check (reference ~ '^[a-z0-9]{20}$'),
  -- Where its owner is at home, as Stripe was told: it never changes.
  add column country text check (country ~ '^[A-Z]{2}$'),
  -- How many keys were used up by answers that Stripe would only repeat.
  add column keys smallint not null default 0 check (keys >= 0),
  add check (stripe_id is not null or (reference, country) is not null);
