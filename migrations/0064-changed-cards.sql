-- compatible from 0035
-- Until which month a card is good, such as 2030-08, as far as its provider tells.
alter table payment_method add column expires text check (expires ~ '^\d{4}-(0[1-9]|1[0-2])$');

-- A member is asked by the provider for another means of payment of a membership that runs. Nothing is paid by it.
create table card_change (
  id integer generated always as identity primary key,
  -- What the provider is told to know it by, so that asking twice makes one.
  reference text not null unique check (reference ~ '^[a-z0-9]{20}$'),
  membership_id integer not null references membership (id),
  provider text not null,
  status text not null check (status in ('started', 'pending', 'succeeded', 'failed', 'cancelled')),
  failure text,
  method_id integer references payment_method (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  changed_at timestamptz not null,
  check ((status = 'succeeded') = (method_id is not null))
);
create unique index card_change_open on card_change (membership_id) where status in ('started', 'pending');
create index card_change_membership on card_change (membership_id, id);

create function refuse_other_card_change() returns trigger language plpgsql as $$
begin
  if to_jsonb(old) - array['status', 'failure', 'method_id', 'changed_at'] is distinct from to_jsonb(new) - array['status', 'failure', 'method_id', 'changed_at']
    or old.status not in ('started', 'pending') or new.status = 'started'
  then
    raise exception 'a change of a card moves forward only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger card_change_kept before update on card_change for each row execute function refuse_other_card_change();
create trigger card_change_not_deleted before delete on card_change for each row execute function refuse_change();
create trigger card_change_not_emptied before truncate on card_change for each statement execute function refuse_change();

do $$
begin
  execute format('alter function refuse_other_card_change() set search_path = %I, pg_temp', current_schema());
end $$;
alter table card_change enable always trigger card_change_kept, enable always trigger card_change_not_deleted, enable always trigger card_change_not_emptied;
