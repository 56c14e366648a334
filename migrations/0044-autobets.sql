-- compatible from 0035
-- A member's rule for the tips of a portfolio: each one that it is meant for becomes a bet in the member's own record.
create table autobet_rule (
  account_id integer not null references account (id) on delete cascade,
  portfolio_id integer not null references portfolio (id),
  enabled boolean not null,
  -- What one advised unit is, and the most that one bet stakes, in minor units of the currency or hundredths of a unit.
  unit_minor integer not null check (unit_minor between 1 and 100000000),
  most_minor integer not null check (most_minor between unit_minor / 10 and 100000000),
  currency_id smallint not null check (currency_id between 1 and 7),
  least_odds_thousandths integer not null check (least_odds_thousandths between 1001 and 1000000),
  -- Every sport where none is named.
  sport_ids smallint[] not null,
  -- Tips that were published before are no business of the rule.
  since timestamptz not null,
  changed_at timestamptz not null,
  primary key (account_id, portfolio_id)
);
create index autobet_rule_portfolio on autobet_rule (portfolio_id) where enabled;

-- What a rule made of a tip, once: a bet, or the reason why there is none.
create table autobet (
  account_id integer not null references account (id) on delete cascade,
  tip_id integer not null references tip (id),
  portfolio_id integer not null references portfolio (id),
  at timestamptz not null,
  stake_minor integer not null check (stake_minor > 0),
  currency_id smallint not null check (currency_id between 1 and 7),
  missed text check (missed in ('started', 'no price', 'short price', 'refused')),
  -- The price of the bet, or the best one that was too short.
  odds_thousandths integer check (odds_thousandths > 1000),
  bet_reference text,
  primary key (account_id, tip_id),
  check ((missed is null) = (bet_reference is not null))
);
create index autobet_account on autobet (account_id, at desc);
create index autobet_portfolio on autobet (portfolio_id, at desc);

-- Up to which entry of the ledger tips were given to the rules.
create table autobet_progress (only_row boolean primary key default true check (only_row), sequence bigint not null);
insert into autobet_progress select true, coalesce(max(sequence), 0) from ledger_entry;
