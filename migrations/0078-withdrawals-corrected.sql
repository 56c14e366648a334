-- compatible from 0035
-- Staff put a withdrawal right or take it back (0102): then sources add nothing to it any more. What was told first stays to everybody else.
alter table runner add column withdrawal_ruled boolean not null default false;

drop trigger runner_kept on runner;
create trigger runner_kept before update on runner for each row
  when ((old.fixture_id, old.participant_id, old.position) is distinct from (new.fixture_id, new.participant_id, new.position)
    or (old.number is not null and old.number is distinct from new.number)
    or (old.withdrawal_ruled and not new.withdrawal_ruled)
    or (not new.withdrawal_ruled and (
      (old.withdrawn_at is not null and old.withdrawn_at is distinct from new.withdrawn_at)
      or (old.withdrawal_thousandths is not null and (old.withdrawal_thousandths, old.withdrawal_numerator, old.withdrawal_denominator)
        is distinct from (new.withdrawal_thousandths, new.withdrawal_numerator, new.withdrawal_denominator))))
    or (old.starting_thousandths is not null and (old.starting_thousandths, old.starting_numerator, old.starting_denominator)
      is distinct from (new.starting_thousandths, new.starting_numerator, new.starting_denominator)))
  execute function refuse_change();
alter table runner enable always trigger runner_kept;
