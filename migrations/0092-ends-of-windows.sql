-- compatible from 0035
-- When the window of a counter ends. The release before leaves it null, or as it was where it begins another window: then it tells nothing.
alter table rate_limit add column ends_at timestamptz;
create index rate_limit_ends on rate_limit (ends_at) where ends_at > window_start;
create index rate_limit_starts on rate_limit (window_start) where (ends_at > window_start) is not true;
