-- compatible from 0035
-- True of a closing price that was found in the history, and is found anew when that grows; false of one that a source named, and of those from before.
alter table price add column closing_found boolean not null default false;
