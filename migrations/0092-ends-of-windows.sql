-- compatible from 0035
-- When the window of a counter ends; null, as the release before writes it, for a day after it began.
alter table rate_limit add column ends_at timestamptz;
create index rate_limit_ends on rate_limit (ends_at, window_start);
