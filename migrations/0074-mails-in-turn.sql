-- compatible from 0035
-- The next mails to send are found by an index, however many wait: what somebody waits for first, then what can be unsubscribed from.
create index mail_outbox_turn on mail_outbox ((headers ? 'List-Unsubscribe'), next_at, id);
drop index mail_outbox_due;
-- What a mail of news tells of: looked at again when it is sent.
alter table mail_outbox add column deliveries bigint[];
