create table ledger_head (
  only_row boolean primary key default true check (only_row),
  sequence integer not null,
  hash text not null,
  at timestamptz not null
);
insert into ledger_head (sequence, hash, at) values (0, repeat('0', 64), 'epoch');

create table ledger_entry (
  sequence integer primary key check (sequence > 0),
  portfolio_sequence integer not null check (portfolio_sequence > 0),
  kind text not null,
  portfolio text not null,
  tip text not null,
  -- The whole entry as canonical JSON, its hash included.
  entry text not null,
  hash text not null unique check (hash ~ '^[0-9a-f]{64}$'),
  unique (portfolio, portfolio_sequence)
);
create index ledger_entry_tip on ledger_entry (tip, sequence);

-- The complete nodes of the Merkle tree over the entries; none ever changes.
create table ledger_node (
  level smallint not null,
  index integer not null,
  hash text not null,
  primary key (level, index)
);

create table ledger_checkpoint (
  sequence integer primary key references ledger_entry (sequence),
  checkpoint jsonb not null
);

create table signing_key (
  id text primary key,
  public_key jsonb not null,
  private_jwk jsonb not null,
  retired boolean not null default false
);

-- What opens a commitment: kept from everybody until the start of the tip's first leg.
create table tip_commitment (
  tip_id integer primary key references tip (id),
  salt text not null,
  publication text not null,
  opens_at timestamptz not null,
  opened_at timestamptz
);
create index tip_commitment_closed on tip_commitment (opens_at) where opened_at is null;

create trigger ledger_entry_kept before update or delete on ledger_entry for each row execute function refuse_change();
create trigger ledger_entry_not_emptied before truncate on ledger_entry for each statement execute function refuse_change();
create trigger ledger_checkpoint_kept before update or delete on ledger_checkpoint for each row execute function refuse_change();
create trigger ledger_checkpoint_not_emptied before truncate on ledger_checkpoint for each statement execute function refuse_change();
create trigger ledger_node_kept before update or delete on ledger_node for each row execute function refuse_change();
create trigger ledger_node_not_emptied before truncate on ledger_node for each statement execute function refuse_change();
alter table ledger_node enable always trigger ledger_node_kept, enable always trigger ledger_node_not_emptied;
alter table ledger_entry enable always trigger ledger_entry_kept, enable always trigger ledger_entry_not_emptied;
alter table ledger_checkpoint enable always trigger ledger_checkpoint_kept, enable always trigger ledger_checkpoint_not_emptied;
