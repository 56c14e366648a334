-- compatible from 0035
-- A card of an account that was deleted: due to be taken away at its provider, and taken away, with nothing left to know or to charge it by.
alter table payment_method
  add column removal text check (removal in ('due', 'done')),
  add check (removal is distinct from 'done' or (label = '' and expires is null and provider_method = 'removed ' || id::text));
create index payment_method_to_remove on payment_method (id) where removal = 'due';
update payment_method set label = '', expires = null, removal = 'due' from account where account.id = account_id and deleted_at is not null;
