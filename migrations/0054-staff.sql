-- compatible from 0035
-- What staff did: who, when by the clock of the database, to what, why, and how it was before and after. Nothing in it names a member but by number.
create table staff_action (
  id integer generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Null for whoever works at the machine itself.
  actor_id integer references account (id),
  actor_role text not null check (actor_role in ('admin', 'super-admin', 'machine')),
  action text not null check (action ~ '^[a-z0-9-]+\.[a-z0-9-]+$'),
  subject_kind text not null check (subject_kind ~ '^[a-z-]+$'),
  subject text not null check (subject <> ''),
  reason text not null check (reason ~ '\S' and length(reason) <= 500),
  before jsonb not null,
  after jsonb not null,
  check ((actor_id is null) = (actor_role = 'machine'))
);
create index staff_action_subject on staff_action (subject_kind, subject, id desc);
create index staff_action_action on staff_action (action, id desc);
create index staff_action_actor on staff_action (actor_id, id desc);

-- The second factor of a member of staff: the key, sealed, from when it was shown to work; the last step of time whose code was taken.
create table staff_factor (
  account_id integer primary key references account (id),
  sealed_key text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  tries integer not null default 0,
  locked_until timestamptz
);
create table staff_recovery_code (
  account_id integer not null references staff_factor (account_id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

-- From when a login has shown the second factor, and when it was last of use to staff.
create table staff_session (
  session_id text primary key references session (id) on delete cascade,
  proven_at timestamptz not null,
  used_at timestamptz not null
);

-- Who may read and no longer write, and what they are told of it.
create table suspension (
  account_id integer primary key references account (id),
  since timestamptz not null default clock_timestamp(),
  reason text not null check (reason ~ '\S' and length(reason) <= 500)
);

create trigger staff_action_kept before update or delete on staff_action for each row execute function refuse_change();
create trigger staff_action_not_emptied before truncate on staff_action for each statement execute function refuse_change();
alter table staff_action enable always trigger staff_action_kept, enable always trigger staff_action_not_emptied;
-- An entry that was there leaves a digest, also under somebody who switches the triggers off (0048).
create trigger staff_action_change_kept_insert after insert on staff_action referencing new table as added
  for each statement execute function keep_change('id', 'id, at, actor_id, actor_role, action, subject_kind, subject, reason, before, after', 'true');
create trigger staff_action_change_kept_update after update on staff_action referencing old table as removed new table as added
  for each statement execute function keep_change('id', 'id, at, actor_id, actor_role, action, subject_kind, subject, reason, before, after', 'true');
create trigger staff_action_change_kept_delete after delete on staff_action referencing old table as removed
  for each statement execute function keep_change('id', 'id, at, actor_id, actor_role, action, subject_kind, subject, reason, before, after', 'true');
alter table staff_action enable always trigger staff_action_change_kept_insert, enable always trigger staff_action_change_kept_update, enable always trigger staff_action_change_kept_delete;
