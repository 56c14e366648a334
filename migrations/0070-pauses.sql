-- compatible from 0035
-- Product §9: breaks from betting that members take of themselves. The latest end counts, and rows are only ever added: what was begun can be made longer, and nobody can make it shorter.
create table betting_pause (
  id integer generated always as identity primary key,
  account_id integer not null references account (id),
  from_at timestamptz not null,
  until_at timestamptz not null,
  check (until_at >= from_at + interval '24 hours' and until_at <= from_at + interval '190 days')
);
create index betting_pause_account on betting_pause (account_id, until_at desc);

create trigger betting_pause_kept before update or delete on betting_pause for each row execute function refuse_change();
create trigger betting_pause_not_emptied before truncate on betting_pause for each statement execute function refuse_change();
alter table betting_pause enable always trigger betting_pause_kept, enable always trigger betting_pause_not_emptied;

-- A tip that came while its member took a break is no bet, and the reason says so.
alter table autobet drop constraint autobet_missed_check;
alter table autobet add constraint autobet_missed_check check (missed in ('started', 'no price', 'short price', 'refused', 'paused'));
