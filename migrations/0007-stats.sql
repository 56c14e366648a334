-- A portfolio's settlements of one day (of the record's time zone), folded: what statistics of any window are merged from.
create table portfolio_day (
  portfolio_id integer not null references portfolio (id),
  day date not null,
  rollup jsonb not null,
  breakdowns jsonb not null,
  primary key (portfolio_id, day)
);

-- The same by sport, with sport 0 for all of them, in the figures that the comparison orders by.
create table portfolio_day_sport (
  portfolio_id integer not null references portfolio (id),
  sport_id smallint not null,
  day date not null,
  rollup jsonb not null,
  primary key (portfolio_id, sport_id, day)
);

-- A portfolio's standing over each time range: the comparison reads these and nothing else.
create table portfolio_standing (
  portfolio_id integer not null references portfolio (id),
  sport_id smallint not null,
  period smallint not null check (period between 0 and 6),
  as_of date not null,
  tips integer not null,
  won integer not null,
  average_odds double precision,
  strike_rate double precision,
  clv double precision,
  profit_advised double precision not null,
  yield_advised double precision,
  drawdown_advised double precision not null,
  profit_level double precision not null,
  yield_level double precision,
  drawdown_level double precision not null,
  summary jsonb not null,
  primary key (portfolio_id, sport_id, period)
);
create index standing_profit_advised on portfolio_standing (sport_id, period, profit_advised desc);
create index standing_profit_level on portfolio_standing (sport_id, period, profit_level desc);
create index standing_as_of on portfolio_standing (as_of);
