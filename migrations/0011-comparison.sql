-- The comparison filters and orders all standings of a sport and time range: this holds what it needs of them without their summaries.
create index standing_compared on portfolio_standing (sport_id, period)
  include (portfolio_id, tips, average_odds, strike_rate, clv, profit_advised, yield_advised, drawdown_advised, profit_level, yield_level, drawdown_level);
drop index standing_profit_advised, standing_profit_level;
create index portfolio_found on portfolio (visibility, id) where abandoned_at is null;

-- How many follow a portfolio, kept with each follow by the database itself; a portfolio that nobody ever followed has no row.
create table portfolio_followers (
  portfolio_id integer primary key references portfolio (id),
  followers integer not null check (followers >= 0)
);
insert into portfolio_followers select portfolio_id, count(*) from follow group by portfolio_id;

create function count_followers_come() returns trigger language plpgsql as $$
begin
  insert into portfolio_followers select portfolio_id, count(*) from came group by portfolio_id order by portfolio_id
  on conflict (portfolio_id) do update set followers = portfolio_followers.followers + excluded.followers;
  return null;
end $$;
create function count_followers_gone() returns trigger language plpgsql as $$
begin
  update portfolio_followers set followers = followers - lost.count
  from (select portfolio_id, count(*) from gone group by portfolio_id) lost where lost.portfolio_id = portfolio_followers.portfolio_id;
  return null;
end $$;
create function count_followers_none() returns trigger language plpgsql as $$
begin
  update portfolio_followers set followers = 0;
  return null;
end $$;
create function keep_followed() returns trigger language plpgsql as $$
begin
  raise exception 'a follow stays with its portfolio: delete it and insert another' using errcode = 'restrict_violation';
end $$;
create trigger follow_came after insert on follow referencing new table as came for each statement execute function count_followers_come();
create trigger follow_gone after delete on follow referencing old table as gone for each statement execute function count_followers_gone();
create trigger follow_emptied after truncate on follow for each statement execute function count_followers_none();
create trigger follow_kept before update of portfolio_id on follow for each row when (old.portfolio_id <> new.portfolio_id) execute function keep_followed();
