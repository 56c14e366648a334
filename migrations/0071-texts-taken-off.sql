-- compatible from 0035
-- A text is taken off the site by a version that says so: what it said then, and the day on which it was first public, come back with it.
alter table content_version
  add column takes_off boolean not null default false,
  add column shown_since date,
  add check (not (takes_off and follows_file)),
  add check (takes_off = (shown_since is not null));
