-- Each tip as it was sealed: what its page shows and its settlement goes by, whatever becomes of the tables that it was made from (0042).
alter table tip add column publication jsonb;

set local work_mem = '256MB';

-- Tips from before are given what the record has of them; the details that it lacks, and personal tips, which are on no record, are read once from the tables as they stand.
create temporary table sealed_before on commit drop as
  select tip.id as tip_id, coalesce(committed.publication::jsonb, entry.entry::jsonb -> 'content') as publication
  from tip
  left join tip_commitment committed on committed.tip_id = tip.id
  left join ledger_entry entry on entry.tip = tip.reference and entry.kind = 'tip-published';
create unique index on sealed_before (tip_id);
analyze sealed_before;

create temporary table leg_before on commit drop as
  select leg.tip_id, jsonb_agg(
    coalesce(sealed_before.publication -> 'legs' -> (leg.position - 1), jsonb_build_object(
      'fixture', fixture.reference,
      'startsAt', to_char(leg.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'market', jsonb_build_object('kind', market.kind, 'lineHundredths', market.line_hundredths, 'period', market.period, 'includesOvertime', market.includes_overtime),
      'selection', jsonb_build_object('key', selection.key, 'name', selection.name),
      'bookmaker', bookmaker.reference,
      'price', jsonb_build_object('oddsThousandths', leg.odds_thousandths,
        'fraction', case when leg.numerator is not null then jsonb_build_object('numerator', leg.numerator, 'denominator', leg.denominator) end),
      'eachWayTerms', case when leg.each_way_places is not null then jsonb_build_object('places', leg.each_way_places, 'basis', leg.each_way_basis,
        'fraction', jsonb_build_object('numerator', leg.each_way_numerator, 'denominator', leg.each_way_denominator)) end))
    || jsonb_build_object('details', coalesce(sealed_before.publication -> 'legs' -> (leg.position - 1) -> 'details', jsonb_build_object(
      'sport', sport.reference,
      'league', jsonb_build_object('reference', league.reference, 'name', league.name),
      'fixtureName', fixture.name,
      'sides', case when home.id is not null and away.id is not null then jsonb_build_object('home', home.name, 'away', away.name) end,
      'listedKeys', case when market.kind = 'correct-score' then (select jsonb_agg(listed.key order by listed.position) from selection listed where listed.market_id = market.id) else '[]' end,
      'participant', backed.reference,
      'bookmakerName', bookmaker.name,
      'priceAt', to_char(leg.price_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
    order by leg.position) as legs
  from tip_leg leg
  join sealed_before on sealed_before.tip_id = leg.tip_id
  join fixture on fixture.id = leg.fixture_id
  join league on league.id = fixture.league_id
  join (values (1, 'football'), (2, 'horse-racing'), (3, 'american-football'), (4, 'basketball'), (5, 'baseball'), (6, 'e-sports'), (7, 'australian-rules'), (8, 'boxing'), (9, 'cricket'),
    (10, 'handball'), (11, 'mma'), (12, 'ice-hockey'), (13, 'rugby-league'), (14, 'rugby-union'), (15, 'snooker'), (16, 'tennis'), (17, 'darts'), (18, 'motor-racing'), (19, 'golf'),
    (20, 'greyhounds'), (21, 'volleyball')) as sport (id, reference) on sport.id = league.sport_id
  join market on market.id = leg.market_id
  join selection on selection.id = leg.selection_id
  join bookmaker on bookmaker.id = leg.bookmaker_id
  left join participant home on home.id = fixture.home_id
  left join participant away on away.id = fixture.away_id
  left join participant backed on backed.id = selection.participant_id
  group by leg.tip_id;
create unique index on leg_before (tip_id);
analyze leg_before;

alter table tip disable trigger tip_kept;
update tip set publication = coalesce(sealed_before.publication, jsonb_build_object('stakeHundredths', stake_hundredths, 'eachWay', each_way, 'free', free,
    'analysisHash', encode(sha256(convert_to(analysis, 'UTF8')), 'hex'))) || jsonb_build_object('legs', leg_before.legs)
  from sealed_before join leg_before using (tip_id)
  where tip.id = sealed_before.tip_id;
alter table tip enable always trigger tip_kept;

alter table tip alter column publication set not null;
