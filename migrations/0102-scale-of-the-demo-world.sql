-- compatible from 0035
-- A world that was broken off is finished at the scale at which it was begun, whatever the settings say by then.
alter table demo_world add column scale jsonb not null default '{"pastDays": 730, "pastEventsADay": 5, "tipsters": 60, "daysAhead": 14}';
