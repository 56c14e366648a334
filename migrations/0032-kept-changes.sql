-- Every change of what is shown and stands on no public record: whose row, and the difference that it makes to the sum of the hashes of those
-- rows (0048). What a row says is not in it; the salt keeps what is signed of it from being guessed.
create table kept_change (
  id bigint generated always as identity primary key,
  relation text not null,
  about integer not null,
  digest numeric not null,
  salt uuid not null default gen_random_uuid(),
  -- Under which seal it stands; null until it is sealed.
  seal integer
);
create index kept_change_about on kept_change (relation, about);
create index kept_change_seal on kept_change (seal, id);

-- Seals over the changes, each over the one before; the record signs the newest with each checkpoint.
create table kept_seal (
  number integer primary key check (number >= 0),
  changes bigint not null,
  digest text not null check (digest ~ '^[0-9a-f]{64}$')
);
insert into kept_seal values (0, 0, repeat('0', 64));

create function refuse_unsealing() returns trigger language plpgsql as $$
begin
  if old.seal is not null or new.seal is null or (old.id, old.relation, old.about, old.digest, old.salt) is distinct from (new.id, new.relation, new.about, new.digest, new.salt) then
    raise exception 'a kept change is sealed once and is otherwise as it was made' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger kept_change_kept before update on kept_change for each row execute function refuse_unsealing();
create trigger kept_change_not_deleted before delete on kept_change for each row execute function refuse_change();
create trigger kept_change_not_emptied before truncate on kept_change for each statement execute function refuse_change();
create function refuse_foreign_seal() returns trigger language plpgsql as $$
begin
  if new.number <> (select max(number) + 1 from kept_seal) then
    raise exception 'seal % does not follow on the last one', new.number using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger kept_seal_follows before insert on kept_seal for each row execute function refuse_foreign_seal();
create trigger kept_seal_kept before update or delete on kept_seal for each row execute function refuse_change();
create trigger kept_seal_not_emptied before truncate on kept_seal for each statement execute function refuse_change();

-- Called with the column that says whose a row is, the columns that are kept, and of which rows.
create function keep_change() returns trigger language plpgsql security definer as $$
declare
  hashed text := format($text$select %I as about, %%s (('x' || left(hash, 15))::bit(60)::bigint::numeric * 1152921504606846976 + ('x' || substr(hash, 16, 15))::bit(60)::bigint) as digest
    from %%s, lateral (select encode(sha256(convert_to(row(%s)::text, 'UTF8')), 'hex') as hash) hashed where %s$text$, tg_argv[0], tg_argv[1], tg_argv[2]);
  changed text := concat_ws(' union all ',
    case when tg_op <> 'DELETE' then format(hashed, '', 'added') end,
    case when tg_op <> 'INSERT' then format(hashed, '-', 'removed') end);
begin
  execute format('insert into kept_change (relation, about, digest) select %L, about, sum(digest) from (%s) changed group by about having sum(digest) <> 0 order by about', tg_table_name, changed);
  return null;
end $$;

-- What a member's bet is on, in words and as it is settled, as it was when the bet was made.
alter table bet_leg add column details jsonb;
alter table bet_leg disable trigger bet_leg_kept;
update bet_leg leg set details = jsonb_build_object(
    'fixture', fixture.reference, 'fixtureName', fixture.name, 'sportId', league.sport_id, 'leagueId', league.id,
    'market', jsonb_build_object('kind', market.kind, 'lineHundredths', market.line_hundredths, 'period', market.period, 'includesOvertime', market.includes_overtime,
      'listedKeys', case when market.kind = 'correct-score' then (select jsonb_agg(listed.key order by listed.position) from selection listed where listed.market_id = market.id) else '[]' end),
    'selection', jsonb_build_object('key', selection.key, 'name', selection.name, 'participantId', selection.participant_id),
    'bookmakerName', coalesce((select name from bookmaker where id = leg.bookmaker_id), leg.bookmaker_name))
  from fixture, league, market, selection
  where fixture.id = leg.fixture_id and league.id = fixture.league_id and market.id = leg.market_id and selection.id = leg.selection_id;
alter table bet_leg enable always trigger bet_leg_kept;
alter table bet_leg alter column details set not null;

do $$
declare
  kept record;
  event record;
begin
  for kept in select * from (values
    ('account', 'id', 'id, username, role, pro, demo, created_at, deleted_at', 'true'),
    ('bet', 'id', 'id, reference, account_id, idempotency_key, request_hash, placed_at, entered_at, first_starts_at, stake_minor, currency_id, each_way, tip_id', 'true'),
    ('bet_leg', 'bet_id', 'position, fixture_id, market_id, selection_id, bookmaker_id, bookmaker_name, odds_thousandths, numerator, denominator, own_price, starts_at, each_way_places, each_way_numerator, each_way_denominator, each_way_basis, details', 'true'),
    ('bet_settlement', 'bet_id', 'version, ordinal, outcome, staked_minor, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, results, reason, settled_at', 'true'),
    ('bookmaker', 'id', 'id, reference, name, url, bonus_offer, bonus_terms, rating, description, bullet_points, background_colour, show_on_markets, markets_country_block, show_on_live_odds, live_odds_country_block, show_on_add_tips, add_tips_country_block, exchange, demo', 'true'),
    ('fixture', 'id', 'id, reference, league_id, season, name, home_id, away_id, starts_at, start_time_known, status, handicap, demo, off_at', 'true'),
    ('fixture_result', 'fixture_id', 'version, home_score, away_score, scores, positions, abandoned, source, recorded_at, places_known', 'true'),
    ('follow', 'account_id', 'portfolio_id, created_at, max_stake_hundredths, tip_mails, post_mails, unsubscribe_guid', 'true'),
    ('league', 'id', 'id, sport_id, reference, name, country_iso2, territory', 'true'),
    ('ledger_cosignature', 'sequence', 'witness, line', 'true'),
    ('ledger_note', 'sequence', 'origin, note', 'true'),
    ('live_score', 'fixture_id', 'fixture_id', 'true'),
    ('membership', 'id', 'id, account_id, portfolio_id, starts_at, ends_at', 'true'),
    ('participant', 'id', 'id, sport_id, reference, name', 'true'),
    ('portfolio', 'id', 'id, reference, owner_id, name, description, visibility, default_tip_stake_hundredths, welcome_message, premium_welcome_message, coupon_id, tipledger_pro, demo, created_at, abandoned_at', 'true'),
    ('post', 'id', 'id, reference, portfolio_id, idempotency_key, request_hash, title, body, premium_only, published_at, edited_at, version, edited_by', 'true'),
    ('post_tip', 'post_id', 'position, tip_id', 'true'),
    ('post_version', 'post_id', 'version, title, body, premium_only, tips, written_at, written_by', 'true'),
    ('price', 'selection_id', 'bookmaker_id, closing_thousandths, closing_numerator, closing_denominator', 'closing_thousandths is not null'),
    ('price_change', 'selection_id', 'bookmaker_id, at, time_known, odds_thousandths, numerator, denominator', 'true'),
    ('resettlement', 'fixture_id', 'version, done_at', 'true'),
    ('runner', 'fixture_id', 'participant_id, position, number, withdrawn_at, withdrawal_thousandths, withdrawal_numerator, withdrawal_denominator, starting_thousandths, starting_numerator, starting_denominator', 'true'),
    ('selection', 'market_id', 'id, key, name, participant_id, position, closing_average_thousandths', 'true'),
    ('settlement_setting', 'id', 'id, sport_id, bookmaker_id, from_at, retirement_rule, postponement_hours, rule4_minimum_pence', 'true')
  ) as listed (relation, about, columns, condition) loop
    -- What stands is kept as it stands.
    execute format($text$insert into kept_change (relation, about, digest)
      select %L, about, sum(('x' || left(hash, 15))::bit(60)::bigint::numeric * 1152921504606846976 + ('x' || substr(hash, 16, 15))::bit(60)::bigint)
      from (select %I as about, encode(sha256(convert_to(row(%s)::text, 'UTF8')), 'hex') as hash from %I where %s) hashed group by about order by about$text$,
      kept.relation, kept.about, kept.columns, kept.relation, kept.condition);
    for event in select * from (values ('insert', 'new table as added'), ('update', 'old table as removed new table as added'), ('delete', 'old table as removed')) as listed (name, tables) loop
      execute format('create trigger %I after %s on %I referencing %s for each statement execute function keep_change(%L, %L, %L)',
        kept.relation || '_change_kept_' || event.name, event.name, kept.relation, event.tables, kept.about, kept.columns, kept.condition);
    end loop;
  end loop;
end $$;

-- One spelling of a row, whatever the session that writes it has set.
alter function keep_change() set timezone = 'UTC';
alter function keep_change() set datestyle = 'ISO, YMD';
alter function keep_change() set extra_float_digits = 1;

do $$
declare
  each record;
begin
  for each in select oid::regprocedure as name from pg_proc where pronamespace = current_schema()::regnamespace and proname in ('keep_change', 'refuse_unsealing', 'refuse_foreign_seal') loop
    execute format('alter function %s set search_path = %I, pg_temp', each.name, current_schema());
  end loop;
  for each in
    select tgrelid::regclass as relation, tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and pronamespace = current_schema()::regnamespace and (proname like 'refuse\_%' or proname like 'keep\_%') and tgenabled <> 'A'
  loop
    execute format('alter table %s enable always trigger %I', each.relation, each.tgname);
  end loop;
end $$;
