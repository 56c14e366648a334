-- Writes that a member named by a key, with what was answered: sent again, they are answered alike and done once.
create table named_write (
  account_id integer not null references account (id),
  idempotency_key text not null check (length(idempotency_key) between 1 and 100),
  request_hash text not null,
  answer jsonb,
  written_at timestamptz not null,
  primary key (account_id, idempotency_key)
);
create index named_write_written on named_write (written_at);

alter table post
  add column version integer not null default 1 check (version >= 1),
  -- Null is the owner of the portfolio, who published it.
  add column edited_by integer references account (id);

-- What a post said before it was edited: who wrote it, and when.
create table post_version (
  post_id integer not null references post (id) on delete cascade,
  version integer not null check (version >= 1),
  title text not null,
  body text not null,
  premium_only boolean not null,
  tips text[] not null,
  written_at timestamptz not null,
  written_by integer not null references account (id),
  primary key (post_id, version)
);

-- Pictures by the SHA-256 of what we made of them; whoever uploads the same one again shares it.
create table picture (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  width integer not null check (width between 1 and 4096),
  height integer not null check (height between 1 and 4096),
  bytes bytea not null
);
create table picture_upload (
  account_id integer not null references account (id),
  hash text not null references picture (hash),
  uploaded_at timestamptz not null,
  primary key (account_id, hash)
);
create index picture_upload_hash on picture_upload (hash);
