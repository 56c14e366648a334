-- compatible from 0035
-- The job that closes markets looks for what has started and is not closed; nearly every past fixture is.
create index fixture_unclosed on fixture (starts_at, id) where closed_at is null;
