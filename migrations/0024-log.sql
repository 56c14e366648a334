-- An entry that counts the portfolios belongs to none of them and is about no tip.
alter table ledger_entry
  alter column portfolio_sequence drop not null,
  alter column portfolio drop not null,
  alter column tip drop not null,
  add constraint ledger_entry_whose check (num_nulls(portfolio_sequence, portfolio, tip) = case when kind = 'portfolios-counted' then 3 else 0 end);

-- The checkpoints as signed notes, under the name that the log was first given.
create table ledger_note (
  sequence integer primary key references ledger_checkpoint (sequence),
  origin text not null check (length(origin) between 1 and 250),
  note text not null
);

-- The lines by which witnesses cosigned them, each under the witness's key.
create table ledger_cosignature (
  sequence integer not null references ledger_note (sequence),
  witness text not null,
  line text not null,
  primary key (sequence, witness)
);
create index ledger_cosignature_of_witness on ledger_cosignature (witness, sequence);

create trigger ledger_note_kept before update or delete on ledger_note for each row execute function refuse_change();
create trigger ledger_note_not_emptied before truncate on ledger_note for each statement execute function refuse_change();
create trigger ledger_cosignature_kept before update or delete on ledger_cosignature for each row execute function refuse_change();
create trigger ledger_cosignature_not_emptied before truncate on ledger_cosignature for each statement execute function refuse_change();
alter table ledger_note enable always trigger ledger_note_kept, enable always trigger ledger_note_not_emptied;
alter table ledger_cosignature enable always trigger ledger_cosignature_kept, enable always trigger ledger_cosignature_not_emptied;
