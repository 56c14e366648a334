-- The chance that a portfolio's record over each time range is luck, computed when the record changes: of what bets, and the chance at each plan of stakes; sport 0 is all of them.
create table portfolio_luck (
  portfolio_id integer not null references portfolio (id),
  sport_id smallint not null,
  period smallint not null check (period between 0 and 6),
  digest text not null,
  advised double precision not null check (advised between 0 and 1),
  level double precision not null check (level between 0 and 1),
  primary key (portfolio_id, sport_id, period)
);

-- The portfolios whose chances wait to be computed, and since which change.
create table luck_due (
  portfolio_id integer primary key references portfolio (id),
  changed_at timestamptz not null default clock_timestamp()
);
insert into luck_due (portfolio_id) select distinct portfolio_id from portfolio_day;

-- An address belongs to the account that confirmed it; beside that one account may claim it that has not. So nobody learns whether an address has one.
drop index account_email;
create unique index account_email on account (lower(email)) where email_confirmed;
create unique index account_claim on account (lower(email)) where not email_confirmed;

-- From which network a code was asked for: only there it has tries that nobody else can use up. `tries` counts those of all others.
alter table code_request add column asker text;
alter table account_code add column asker text;
create table code_try (
  account_id integer not null,
  purpose text not null,
  asker text not null,
  tries integer not null,
  primary key (account_id, purpose, asker),
  foreign key (account_id, purpose) references account_code (account_id, purpose) on delete cascade
);

-- Counters are kept under the hashes of their names from here on.
delete from rate_limit;
