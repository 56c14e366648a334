-- compatible from 0035
-- What affiliates earn is due as what tipsters earn is (0084): written by the database, and gone when nothing of it is held.
alter table earning_due drop constraint earning_due_kind_check, add check (kind in ('held', 'pro', 'affiliate-held'));
create or replace function note_earnings() returns trigger language plpgsql security definer as $$
begin
  insert into earning_due (kind, posting_id, payment_id)
  select distinct money_account.kind, posting.id, posting.payment_id
  from added join money_account on money_account.id = account_id and money_account.kind in ('held', 'pro', 'affiliate-held')
  join posting on posting.id = posting_id and payment_id is not null and posting.kind not in ('release', 'share', 'affiliate-release');
  return null;
end $$;
do $$
begin
  execute format('alter function note_earnings() set search_path = %I, pg_temp', current_schema());
end $$;
insert into earning_due (kind, posting_id, payment_id)
select money_account.kind, min(posting.id), payment_id
from money_account join posting_line on account_id = money_account.id join posting on posting.id = posting_id
where money_account.kind = 'affiliate-held' and payment_id is not null group by money_account.kind, payment_id having sum(amount_minor) <> 0;
