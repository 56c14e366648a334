-- compatible from 0035
-- The login by which a browser asked to be told: once it is ended the browser is told no more. Of a login that ran out by itself, and of browsers from before, it is not known.
alter table push_subscription add column session_id text references session (id) on delete set null;
create index push_subscription_session on push_subscription (session_id) where session_id is not null;
