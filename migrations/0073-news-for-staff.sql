-- compatible from 0035
-- What waits, failed or was dropped, by way and state, the newest event first; and what goes to one person. The list in the app is in none: it has no queue.
create index delivery_way on delivery (channel, state, digest, event_id, account_id) where channel <> 'app';
-- What goes to one person by every way; it takes the place of the index that knew the list in the app alone.
create index delivery_person on delivery (account_id, channel, event_id);
drop index delivery_list;
create index delivery_failed on delivery (event_id, account_id) where because = 'refused';
create index event_kind on event (kind, id);
create index mail_outbox_failed on mail_outbox (id) where failure is not null;
create index webhook_delivery_failed on webhook_delivery (id) where state = 'failed';

-- Why an event could not be given to those whom it is for, the last time that it was tried.
alter table event_spread
  add column failure text,
  add column failed_at timestamptz,
  add check ((failure is null) = (failed_at is null));

-- A number, so that no address stands in a link; and whether staff stopped it, when a mail that arrives does not lift it.
alter table mail_stop
  add column id integer generated always as identity unique,
  add column by_staff boolean not null default false;
