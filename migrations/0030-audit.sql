-- How far the audit of the record has come in each of its parts: the pass under way, or the last one when it is finished.
create table audit_progress (
  part text primary key,
  -- Where the next run goes on; null at the beginning of a pass.
  place jsonb,
  pass_at timestamptz not null,
  finished_at timestamptz,
  -- When the last pass began that was finished: what it found stands until the next one is.
  last_pass_at timestamptz
);

-- What differed from the record, by the pass that found it.
create table audit_finding (
  id integer generated always as identity primary key,
  part text not null,
  pass_at timestamptz not null,
  problem text not null check (problem <> ''),
  found_at timestamptz not null,
  unique (part, pass_at, problem)
);
create trigger audit_finding_kept before update or delete on audit_finding for each row execute function refuse_change();
create trigger audit_finding_not_emptied before truncate on audit_finding for each statement execute function refuse_change();
alter table audit_finding enable always trigger audit_finding_kept, enable always trigger audit_finding_not_emptied;
