-- compatible from 0034
-- How often a fixture's source was asked for its result, and when last: by these it is asked again (docs/decisions/0066).
alter table fixture
  add column result_attempts smallint not null default 0 check (result_attempts >= 0),
  add column result_asked_at timestamptz;
