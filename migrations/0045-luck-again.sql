-- compatible from 0035
-- The chances that records are luck were computed without their bets and came to nothing. The job computes them again.
delete from portfolio_luck;
insert into luck_due (portfolio_id) select distinct portfolio_id from portfolio_day on conflict do nothing;
