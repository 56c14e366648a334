-- compatible from 0034
-- A hash is that of an entry with its place in it, as the guard of entries computes it: two alike would be two entries in one place. An index over hashes,
-- by which nothing is looked up, was written to at random for each entry.
alter table ledger_entry drop constraint ledger_entry_hash_key;
