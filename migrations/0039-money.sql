-- compatible from 0035
-- What a portfolio sells: in which currency it is at home, how long one may try it, how many it takes.
create table portfolio_sale (
  portfolio_id integer primary key references portfolio (id),
  main_currency_id smallint not null check (main_currency_id in (1, 3, 4, 5, 6, 7)),
  trial_days smallint not null default 0 check (trial_days between 0 and 31),
  member_limit integer check (member_limit > 0),
  changed_at timestamptz not null
);

create table plan (
  id integer generated always as identity primary key,
  portfolio_id integer not null references portfolio (id),
  period text not null check (period in ('week', 'month', 'quarter', 'year')),
  on_sale boolean not null,
  created_at timestamptz not null,
  unique (portfolio_id, period)
);

create table plan_price (
  plan_id integer not null references plan (id),
  currency_id smallint not null check (currency_id in (1, 3, 4, 5, 6, 7)),
  amount_minor integer not null check (amount_minor > 0),
  primary key (plan_id, currency_id)
);

create table coupon (
  id integer generated always as identity primary key,
  portfolio_id integer not null references portfolio (id),
  code text not null check (code ~ '^[A-Z0-9]{3,20}$'),
  percent smallint check (percent between 1 and 100),
  amount_minor integer check (amount_minor > 0),
  -- Of how many periods it takes something off; of all where it is not said.
  periods smallint check (periods > 0),
  most_uses integer check (most_uses > 0),
  ends_at timestamptz,
  withdrawn_at timestamptz,
  created_at timestamptz not null,
  unique (portfolio_id, code),
  check ((percent is null) <> (amount_minor is null))
);

-- The means of payment that a provider keeps for a member, by the provider's name of it.
create table payment_method (
  id integer generated always as identity primary key,
  account_id integer not null references account (id),
  provider text not null,
  provider_method text not null,
  label text not null,
  created_at timestamptz not null,
  unique (provider, provider_method)
);

-- A membership that was bought runs until it is ended. `ends_at` is when it opens nothing any more, whatever becomes of it: a renewal moves it.
alter table membership drop constraint membership_check;
alter table membership
  add check (ends_at >= starts_at),
  add column reference text unique check (reference ~ '^[a-z0-9]{10}$'),
  add column plan_id integer references plan (id),
  add column method_id integer references payment_method (id),
  add column currency_id smallint check (currency_id in (1, 3, 4, 5, 6, 7)),
  add column amount_minor integer check (amount_minor > 0),
  add column next_amount_minor integer check (next_amount_minor > 0),
  add column next_amount_from timestamptz,
  add column coupon_id integer references coupon (id),
  -- From where periods are counted, and how many were begun; a trial is none.
  add column counted_from timestamptz,
  add column periods smallint not null default 0 check (periods >= 0),
  add column period_starts_at timestamptz,
  add column period_ends_at timestamptz check (period_ends_at > period_starts_at),
  add column trial_ends_at timestamptz,
  add column cancelled_at timestamptz,
  add column past_due_at timestamptz,
  add column tries smallint not null default 0 check (tries >= 0),
  add column reminded_of timestamptz,
  -- When the clock next has something to do with it.
  add column next_at timestamptz,
  add column ended_at timestamptz,
  add column ended_because text,
  add check (plan_id is null or (reference, currency_id, amount_minor, counted_from, period_starts_at, period_ends_at) is not null);
create unique index membership_running on membership (account_id, portfolio_id) where plan_id is not null and ended_at is null;
create index membership_next on membership (next_at) where next_at is not null;

create table customer_order (
  id integer generated always as identity primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]{10}$'),
  account_id integer not null references account (id),
  portfolio_id integer not null references portfolio (id),
  plan_id integer not null references plan (id),
  membership_id integer references membership (id),
  kind text not null check (kind in ('first', 'renewal')),
  -- The number of the period that it pays for; none where it begins a trial.
  period_number smallint not null check (period_number >= 0),
  period_starts_at timestamptz,
  currency_id smallint not null check (currency_id in (1, 3, 4, 5, 6, 7)),
  full_minor integer not null check (full_minor > 0),
  amount_minor integer not null check (amount_minor between 0 and full_minor),
  tax_minor integer not null check (tax_minor between 0 and amount_minor),
  coupon_id integer references coupon (id),
  terms jsonb not null,
  status text not null check (status in ('open', 'processing', 'paid', 'failed', 'cancelled', 'expired')),
  because text,
  idempotency_key text not null,
  request_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  changed_at timestamptz not null,
  unique (account_id, idempotency_key),
  check (kind = 'first' or membership_id is not null)
);
create unique index customer_order_live on customer_order (account_id, portfolio_id) where kind = 'first' and status in ('open', 'processing');
create unique index customer_order_renewal on customer_order (membership_id, period_number) where kind = 'renewal' and status in ('open', 'processing', 'paid');
create index customer_order_portfolio on customer_order (portfolio_id) where status in ('open', 'processing');
create index customer_order_waiting on customer_order (expires_at) where status in ('open', 'processing');
create index customer_order_membership on customer_order (membership_id);

create table payment (
  id integer generated always as identity primary key,
  -- What the provider is told to know it by, so that asking twice makes one.
  reference text not null unique check (reference ~ '^[a-z0-9]{20}$'),
  order_id integer not null references customer_order (id),
  attempt smallint not null check (attempt > 0),
  provider text not null,
  method_id integer references payment_method (id),
  currency_id smallint not null check (currency_id in (1, 3, 4, 5, 6, 7)),
  amount_minor integer not null check (amount_minor >= 0),
  status text not null check (status in ('started', 'pending', 'succeeded', 'failed', 'cancelled', 'disputed')),
  failure text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  unique (order_id, attempt)
);
create unique index payment_charged on payment (order_id) where status in ('succeeded', 'disputed');
create index payment_open on payment (created_at) where status in ('started', 'pending');

create table refund (
  id integer generated always as identity primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]{20}$'),
  payment_id integer not null references payment (id),
  amount_minor integer not null check (amount_minor > 0),
  because text not null,
  status text not null check (status in ('owed', 'done')),
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index refund_payment on refund (payment_id);
create index refund_owed on refund (created_at) where status = 'owed';

-- The books: double entry in minor units. What is above zero is owed to the owner of the account, what is below is owed to us; all accounts come to zero.
create table money_account (
  id integer generated always as identity primary key,
  owner_id integer references account (id),
  kind text not null check (kind in ('clearing', 'fees', 'tax', 'platform', 'held', 'payable', 'affiliate-held', 'affiliate-payable', 'refunds', 'chargebacks', 'payouts')),
  currency_id smallint not null check (currency_id in (1, 3, 4, 5, 6, 7)),
  check ((owner_id is not null) = (kind in ('held', 'payable', 'affiliate-held', 'affiliate-payable', 'payouts')))
);
create unique index money_account_own on money_account (coalesce(owner_id, 0), kind, currency_id);

create table payout (
  id integer generated always as identity primary key,
  reference text not null unique check (reference ~ '^[a-z0-9]{20}$'),
  owner_id integer not null references account (id),
  portfolio_id integer not null references portfolio (id),
  currency_id smallint not null check (currency_id in (1, 3, 4, 5, 6, 7)),
  amount_minor integer not null check (amount_minor > 0),
  provider text not null,
  status text not null check (status in ('asked', 'approved', 'paid', 'failed')),
  approved_by integer references account (id),
  because text,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create unique index payout_under_way on payout (owner_id, currency_id) where status in ('asked', 'approved');

create table posting (
  id integer generated always as identity primary key,
  -- What it books, once: a second booking of it is refused.
  key text not null unique,
  kind text not null check (kind in ('sale', 'release', 'refund', 'refunded', 'chargeback', 'payout', 'paid-out', 'payout-failed', 'correction')),
  at timestamptz not null,
  order_id integer references customer_order (id),
  payment_id integer references payment (id),
  refund_id integer references refund (id),
  payout_id integer references payout (id),
  portfolio_id integer references portfolio (id)
);
create index posting_order on posting (order_id);
create index posting_payment on posting (payment_id);
create index posting_portfolio on posting (portfolio_id, at);

create table posting_line (
  posting_id integer not null references posting (id),
  account_id integer not null references money_account (id),
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (posting_id, account_id)
);
create index posting_line_account on posting_line (account_id, posting_id);

create table money_balance (
  account_id integer primary key references money_account (id),
  amount_minor bigint not null,
  lines bigint not null
);

-- Receipts are numbered without gaps.
create table receipt (
  number integer primary key check (number > 0),
  account_id integer not null references account (id),
  order_id integer not null references customer_order (id),
  refund_id integer references refund (id) unique,
  issued_at timestamptz not null,
  currency_id smallint not null,
  amount_minor integer not null,
  tax_minor integer not null,
  details jsonb not null
);
create unique index receipt_order on receipt (order_id) where refund_id is null;
create index receipt_account on receipt (account_id, number);
create table receipt_end (only_row boolean primary key default true check (only_row), number integer not null check (number >= 0));
insert into receipt_end values (true, 0);

-- The payments of the sandbox, which stands in for a provider and knows nothing of orders and members.
create table sandbox_payment (
  reference text primary key,
  amount_minor integer not null,
  currency_id smallint not null,
  description text not null,
  customer text not null,
  status text not null check (status in ('started', 'pending', 'succeeded', 'failed', 'cancelled', 'disputed')),
  step text not null default 'choose' check (step in ('choose', 'authenticate', 'done')),
  failure text,
  method text,
  settles_at timestamptz,
  disputed_at timestamptz,
  return_path text,
  refunded_minor integer not null default 0 check (refunded_minor between 0 and amount_minor),
  created_at timestamptz not null,
  expires_at timestamptz
);
create table sandbox_transfer (
  reference text primary key,
  kind text not null check (kind in ('refund', 'payout')),
  payment text references sandbox_payment (reference),
  amount_minor integer not null check (amount_minor > 0),
  currency_id smallint not null,
  created_at timestamptz not null
);

-- Of one posting all lines are written by the statement that writes the posting, and come to nothing in each currency. Decided at the end of that
-- statement and not at the commit, so that a pooler and a distributed kin of PostgreSQL do it too, and whoever is refused learns by which statement.
create function refuse_unbalanced() returns trigger language plpgsql as $$
declare
  wrong integer;
begin
  select min(posting_id) into wrong from (
    select posting_id from added join money_account on money_account.id = account_id group by posting_id, currency_id having sum(amount_minor) <> 0
    union all
    select posting_id from (select posting_id, count(*) as lines from added group by posting_id) own
    where lines <> (select count(*) from posting_line known where known.posting_id = own.posting_id)
  ) found;
  if wrong is not null then
    raise exception 'the lines of posting % do not balance', wrong using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger posting_line_balances after insert on posting_line referencing new table as added for each statement execute function refuse_unbalanced();
create function refuse_without_lines() returns trigger language plpgsql as $$
declare
  wrong integer;
begin
  select min(id) into wrong from added where not exists (select from posting_line where posting_id = added.id);
  if wrong is not null then
    raise exception 'posting % has no lines', wrong using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger posting_has_lines after insert on posting referencing new table as added for each statement execute function refuse_without_lines();

-- Balances are kept by the database itself, and by nobody else.
create function keep_balances() returns trigger language plpgsql security definer as $$
begin
  insert into money_balance (account_id, amount_minor, lines)
  select account_id, sum(amount_minor), count(*) from added group by account_id order by account_id
  on conflict (account_id) do update set amount_minor = money_balance.amount_minor + excluded.amount_minor, lines = money_balance.lines + excluded.lines;
  return null;
end $$;
create trigger posting_line_kept_in_balance after insert on posting_line referencing new table as added for each statement execute function keep_balances();

create function refuse_gap() returns trigger language plpgsql as $$
begin
  if new.number <> (select coalesce(max(number), 0) + 1 from receipt) then
    raise exception 'receipt % does not follow on the last one', new.number using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger receipt_follows before insert on receipt for each row execute function refuse_gap();

-- An order and a payment move forward only, and stay what they were made as.
create function refuse_other_order() returns trigger language plpgsql as $$
begin
  if to_jsonb(old) - array['status', 'because', 'membership_id', 'changed_at'] is distinct from to_jsonb(new) - array['status', 'because', 'membership_id', 'changed_at']
    or (old.membership_id is not null and new.membership_id is distinct from old.membership_id)
    or (new.status is distinct from old.status and (old.status not in ('open', 'processing') or new.status = 'open'))
    or (new.status = 'paid' and new.membership_id is null)
  then
    raise exception 'an order moves forward only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger customer_order_kept before update on customer_order for each row execute function refuse_other_order();
create function refuse_other_payment() returns trigger language plpgsql as $$
begin
  if to_jsonb(old) - array['status', 'failure', 'method_id', 'changed_at'] is distinct from to_jsonb(new) - array['status', 'failure', 'method_id', 'changed_at']
    or (new.status is distinct from old.status and not (
      (old.status = 'started') or (old.status = 'pending' and new.status <> 'started') or (old.status = 'succeeded' and new.status = 'disputed')))
  then
    raise exception 'a payment moves forward only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payment_kept before update on payment for each row execute function refuse_other_payment();
create function refuse_other_refund() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (to_jsonb(old) - array['status', 'changed_at'] is distinct from to_jsonb(new) - array['status', 'changed_at'] or (old.status = 'done' and new.status <> 'done')) then
    raise exception 'a refund moves forward only' using errcode = 'restrict_violation';
  end if;
  if tg_op = 'INSERT' and new.amount_minor + (select coalesce(sum(amount_minor), 0) from refund where payment_id = new.payment_id) > (select amount_minor from payment where id = new.payment_id) then
    raise exception 'more would be refunded than was paid' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refund_kept before insert or update on refund for each row execute function refuse_other_refund();
create function refuse_other_payout() returns trigger language plpgsql as $$
begin
  if to_jsonb(old) - array['status', 'approved_by', 'because', 'changed_at'] is distinct from to_jsonb(new) - array['status', 'approved_by', 'because', 'changed_at']
    or (new.status is distinct from old.status and (old.status in ('paid', 'failed') or new.status = 'asked'))
  then
    raise exception 'a payout moves forward only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payout_kept before update on payout for each row execute function refuse_other_payout();

do $$
declare
  name text;
begin
  foreach name in array array['posting', 'posting_line', 'receipt', 'money_account'] loop
    execute format('create trigger %I before update on %I for each row execute function refuse_change()', name || '_not_changed', name);
  end loop;
  foreach name in array array['posting', 'posting_line', 'receipt', 'money_account', 'money_balance', 'customer_order', 'payment', 'refund', 'payout', 'payment_method', 'receipt_end'] loop
    execute format('create trigger %I before delete on %I for each row execute function refuse_change()', name || '_not_deleted', name);
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()', name || '_not_emptied', name);
  end loop;
end $$;

-- What stands in the books leaves a digest, as all does that the audit answers for (0048).
do $$
declare
  kept record;
begin
  for kept in select * from (values
    ('posting', 'id', 'id, key, kind, at, order_id, payment_id, refund_id, payout_id, portfolio_id'),
    ('posting_line', 'posting_id', 'account_id, amount_minor'),
    ('receipt', 'number', 'number, account_id, order_id, refund_id, issued_at, currency_id, amount_minor, tax_minor, details')
  ) as listed (relation, about, columns) loop
    execute format('create trigger %I after insert on %I referencing new table as added for each statement execute function keep_change(%L, %L, %L)',
      kept.relation || '_change_kept_insert', kept.relation, kept.about, kept.columns, 'true');
    execute format('create trigger %I after update on %I referencing old table as removed new table as added for each statement execute function keep_change(%L, %L, %L)',
      kept.relation || '_change_kept_update', kept.relation, kept.about, kept.columns, 'true');
    execute format('create trigger %I after delete on %I referencing old table as removed for each statement execute function keep_change(%L, %L, %L)',
      kept.relation || '_change_kept_delete', kept.relation, kept.about, kept.columns, 'true');
  end loop;
end $$;

do $$
declare
  each record;
begin
  for each in select oid::regprocedure as name from pg_proc where pronamespace = current_schema()::regnamespace
    and proname in ('refuse_unbalanced', 'refuse_without_lines', 'keep_balances', 'refuse_gap', 'refuse_other_order', 'refuse_other_payment', 'refuse_other_refund', 'refuse_other_payout') loop
    execute format('alter function %s set search_path = %I, pg_temp', each.name, current_schema());
  end loop;
  for each in
    select tgrelid::regclass as relation, tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and pronamespace = current_schema()::regnamespace and (proname like 'refuse\_%' or proname like 'keep\_%') and tgenabled <> 'A'
  loop
    execute format('alter table %s enable always trigger %I', each.relation, each.tgname);
  end loop;
end $$;
