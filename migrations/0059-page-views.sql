-- compatible from 0035
-- How often each kind of page was opened on a day (UTC): the pattern of its route, and nothing about who opened it.
create table page_view (
  day date not null,
  kind text not null check (kind ~ '^/' and length(kind) <= 200),
  views bigint not null check (views > 0),
  primary key (day, kind)
);
