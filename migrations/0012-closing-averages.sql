-- The average of all bookmakers' closing prices, where a source gives it: no price that anybody could take, but what the market thought.
alter table selection add column closing_average_thousandths integer check (closing_average_thousandths between 1001 and 1000000);

-- Fixtures whose closing prices became known after they were played: the tips on them are counted anew.
create table closing_update (fixture_id integer primary key references fixture (id));
