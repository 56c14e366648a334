-- compatible from 0035
-- Which bot it was that was heard up to an update, and when anything last was: the updates of another bot, and those after a quiet week, are numbered anew.
alter table telegram_progress add column bot text, add column heard_at timestamptz;
