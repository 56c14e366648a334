-- compatible from 0035
-- A decision on a country's rate names the one that it follows, 0 for none, so that of two made at once over the same the database takes one. Earlier decisions name none.
alter table tax_rate add column after_id integer check (after_id >= 0);
create unique index tax_rate_after on tax_rate (country_id, after_id);
