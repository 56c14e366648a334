-- By which version of the fold a day was folded: those of an earlier one lack what came later and are folded anew by a job.
alter table portfolio_day add column fold smallint not null default 1;
create index portfolio_day_behind on portfolio_day (portfolio_id, day) where fold < 2;

-- What followers had 15 minutes after publication: null where no tip counts there.
alter table portfolio_standing
  add column follower_tips integer not null default 0,
  add column still_there double precision,
  add column follower_profit_advised double precision,
  add column follower_yield_advised double precision,
  add column follower_profit_level double precision,
  add column follower_yield_level double precision;

drop index standing_compared;
create index standing_compared on portfolio_standing (sport_id, period)
  include (portfolio_id, tips, average_odds, strike_rate, clv, profit_advised, yield_advised, drawdown_advised, profit_level, yield_level, drawdown_level,
    still_there, follower_profit_advised, follower_yield_advised, follower_profit_level, follower_yield_level);

-- Summaries from before say of followers' prices that no tip counts, until their days are folded anew.
update portfolio_standing set summary = summary || (
  select jsonb_build_object('followers', jsonb_object_agg(moment, jsonb_build_object('tips', 0, 'stillThere', 0, 'stillTherePercent', null, 'advised', stakes, 'level', stakes)))
  from unnest('{after5, after15, after60, close}'::text[]) as moment,
    (values ('{"turnoverHundredths": 0, "profitHundredths": 0, "yieldPercent": null, "ownProfitHundredths": 0, "ownYieldPercent": null}'::jsonb)) as nothing (stakes));
