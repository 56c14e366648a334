-- compatible from 0035
-- The source that announces a match with home and away the other way round instead: it is void as such while that source is also who says that it is postponed.
alter table fixture add column switched_by text;
update fixture set switched_by = postponed_by where postponed_by is not null and exists (
  select from fixture other join fixture_source named on named.fixture_id = other.id and named.source = fixture.postponed_by
  where other.league_id = fixture.league_id and other.home_id = fixture.away_id and other.away_id = fixture.home_id
    and other.starts_at between fixture.starts_at - interval '1 day' and fixture.starts_at + interval '1 day');
