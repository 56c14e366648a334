-- compatible from 0035
-- One is signed a minute after each new entry; the page of the record shows the last of each day.
create index ledger_checkpoint_day on ledger_checkpoint (left(checkpoint ->> 'at', 10), sequence);
