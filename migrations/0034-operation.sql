-- compatible from 0030
-- From which schema on a program runs with a migration that it does not know: while a release is rolled out, the one before runs with its schema.
alter table migration add column if not exists compatible_from text;
