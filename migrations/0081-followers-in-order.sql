-- compatible from 0035
-- News go to the followers of a portfolio in the order of their numbers, a batch at a time: none of them are read twice, and none sorted.
create index follow_portfolio_account on follow (portfolio_id, account_id);
