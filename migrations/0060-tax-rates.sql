-- compatible from 0035
-- What part of a price is tax, by the buyer's country, from a moment on. Rates are only ever added: the newest decision from the latest moment that has come holds.
create table tax_rate (
  id integer generated always as identity primary key,
  country_id smallint not null check (country_id > 0),
  -- Thousandths of the price without tax: 200 are 20 %.
  rate_thousandths integer not null check (rate_thousandths between 0 and 1000),
  from_at timestamptz not null
);
create index tax_rate_country on tax_rate (country_id, from_at desc, id desc);
