-- The file of the picture that an owner shows a portfolio by; null for the mark that is drawn of its reference.
alter table portfolio add column picture text check (picture ~ '^[0-9a-f]{64}-[1-9][0-9]{0,3}x[1-9][0-9]{0,3}\.webp$');

-- What rows and cards draw of a record in a sport, or in all (0), beside its standing: its last results, its curves by time range and stakes, and
-- what it is most at home in. Drawn anew where the standing over all time, by its digest, is another one.
create table portfolio_sketch (
  portfolio_id integer not null references portfolio (id),
  sport_id smallint not null,
  standing text not null,
  form text not null check (form ~ '^[WLV]{0,10}$'),
  curves jsonb not null,
  speciality jsonb,
  primary key (portfolio_id, sport_id)
);
