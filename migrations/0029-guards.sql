-- What the privileges of the program's role cannot say is refused here, to the owner of the tables too for as long as the triggers stand.

-- Rows that never go.
do $$
declare
  name text;
begin
  foreach name in array array['account', 'bet_settlement', 'bookmaker', 'fixture', 'fixture_result', 'league', 'ledger_head', 'market', 'participant', 'portfolio', 'price', 'runner',
    'selection', 'signing_key', 'tip_commitment'] loop
    if name <> 'bet_settlement' then
      execute format('create trigger %I before delete on %I for each row execute function refuse_change()', name || '_not_deleted', name);
    end if;
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change()', name || '_not_emptied', name);
  end loop;
end $$;

-- What a fixture, its markets and who takes part are, by name and kind.
create trigger bookmaker_kept before update of id, reference, name, exchange, demo on bookmaker for each row
  when ((old.id, old.reference, old.name, old.exchange, old.demo) is distinct from (new.id, new.reference, new.name, new.exchange, new.demo)) execute function refuse_change();
create trigger league_kept before update of id, sport_id, reference, name, country_iso2, territory on league for each row
  when ((old.id, old.sport_id, old.reference, old.name, old.country_iso2, old.territory) is distinct from (new.id, new.sport_id, new.reference, new.name, new.country_iso2, new.territory))
  execute function refuse_change();
create trigger participant_kept before update on participant for each row execute function refuse_change();
create trigger market_kept before update on market for each row execute function refuse_change();
create trigger selection_kept before update of id, market_id, key, name, participant_id, position on selection for each row
  when ((old.id, old.market_id, old.key, old.name, old.participant_id, old.position) is distinct from (new.id, new.market_id, new.key, new.name, new.participant_id, new.position))
  execute function refuse_change();
create trigger selection_average_kept before update of closing_average_thousandths on selection for each row
  when (old.closing_average_thousandths is not null and old.closing_average_thousandths is distinct from new.closing_average_thousandths) execute function refuse_change();
create trigger fixture_kept before update of id, reference, league_id, season, name, home_id, away_id, handicap, demo on fixture for each row
  when ((old.id, old.reference, old.league_id, old.season, old.name, old.home_id, old.away_id, old.handicap, old.demo)
    is distinct from (new.id, new.reference, new.league_id, new.season, new.name, new.home_id, new.away_id, new.handicap, new.demo))
  execute function refuse_change();

-- A fixture that was played stays where it was, and is played only when it has a result.
create trigger fixture_played_kept before update of starts_at, start_time_known, status, off_at on fixture for each row
  when (old.status = 'complete' and (old.starts_at, old.start_time_known, old.status, old.off_at) is distinct from (new.starts_at, new.start_time_known, new.status, new.off_at))
  execute function refuse_change();
create function refuse_completion_without_result() returns trigger language plpgsql as $$
begin
  if not exists (select from fixture_result where fixture_id = new.id) then
    raise exception 'a fixture without a result cannot be complete' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger fixture_completed before update of status on fixture for each row when (new.status = 'complete' and old.status <> 'complete') execute function refuse_completion_without_result();

create trigger fixture_result_kept before update on fixture_result for each row execute function refuse_change();
create function refuse_skipped_result() returns trigger language plpgsql as $$
begin
  if new.version <> (select coalesce(max(version), 0) + 1 from fixture_result where fixture_id = new.fixture_id) then
    raise exception 'version % of a result does not follow on the last one', new.version using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger fixture_result_next before insert on fixture_result for each row execute function refuse_skipped_result();

-- What was told of a runner first stays; only what was not known is added.
create trigger runner_kept before update on runner for each row
  when ((old.fixture_id, old.participant_id, old.position) is distinct from (new.fixture_id, new.participant_id, new.position)
    or (old.number is not null and old.number is distinct from new.number)
    or (old.withdrawn_at is not null and old.withdrawn_at is distinct from new.withdrawn_at)
    or (old.withdrawal_thousandths is not null and (old.withdrawal_thousandths, old.withdrawal_numerator, old.withdrawal_denominator)
      is distinct from (new.withdrawal_thousandths, new.withdrawal_numerator, new.withdrawal_denominator))
    or (old.starting_thousandths is not null and (old.starting_thousandths, old.starting_numerator, old.starting_denominator)
      is distinct from (new.starting_thousandths, new.starting_numerator, new.starting_denominator)))
  execute function refuse_change();

-- Opening and closing prices are those of the history, which is only ever added to.
create function refuse_other_opening() returns trigger language plpgsql as $$
begin
  if not exists (
    select from (
      select odds_thousandths, numerator, denominator from price_change
      where selection_id = new.selection_id and bookmaker_id = new.bookmaker_id and odds_thousandths is not null order by at limit 1) first
    where (first.odds_thousandths, first.numerator, first.denominator) is not distinct from (new.opening_thousandths, new.opening_numerator, new.opening_denominator)
  ) then
    raise exception 'this opening price is not the first of the price history' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger price_opening_kept before update of opening_thousandths, opening_numerator, opening_denominator on price for each row
  when ((old.opening_thousandths, old.opening_numerator, old.opening_denominator) is distinct from (new.opening_thousandths, new.opening_numerator, new.opening_denominator))
  execute function refuse_other_opening();
create function refuse_other_closing() returns trigger language plpgsql as $$
declare
  complete boolean;
  start timestamptz;
  known boolean;
begin
  select fixture.status = 'complete', greatest(fixture.off_at, fixture.starts_at) into complete, start
  from selection join market on market.id = market_id join fixture on fixture.id = fixture_id where selection.id = new.selection_id;
  if new.closing_thousandths is null and not complete then
    return new;
  end if;
  -- A source may name an earlier price as the closing one, but once the fixture was played only the last one takes the place of another.
  if (not complete or old.closing_thousandths is null) and exists (
    select from price_change where selection_id = new.selection_id and bookmaker_id = new.bookmaker_id and at <= start
      and (odds_thousandths, numerator, denominator) is not distinct from (new.closing_thousandths, new.closing_numerator, new.closing_denominator)
  ) then
    return new;
  end if;
  -- A price of the moment of the start itself is before it to some sources and not to others.
  if new.closing_thousandths is not null then
    select true into known from unnest(array[start, start - interval '1 microsecond']) until cross join lateral (
      select odds_thousandths, numerator, denominator from price_change
      where selection_id = new.selection_id and bookmaker_id = new.bookmaker_id and at <= until and odds_thousandths is not null order by at desc limit 1) last
    where (last.odds_thousandths, last.numerator, last.denominator) is not distinct from (new.closing_thousandths, new.closing_numerator, new.closing_denominator) limit 1;
  else
    select odds_thousandths is null into known from price_change
    where selection_id = new.selection_id and bookmaker_id = new.bookmaker_id and at <= start order by at desc limit 1;
  end if;
  if known is not true then
    raise exception 'this closing price is not the last of the price history before the start' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger price_closing_kept before update of closing_thousandths, closing_numerator, closing_denominator on price for each row
  when ((old.closing_thousandths, old.closing_numerator, old.closing_denominator) is distinct from (new.closing_thousandths, new.closing_numerator, new.closing_denominator))
  execute function refuse_other_closing();
create trigger price_kept before update of selection_id, bookmaker_id on price for each row
  when ((old.selection_id, old.bookmaker_id) is distinct from (new.selection_id, new.bookmaker_id)) execute function refuse_change();

-- Whose a portfolio is and under which reference its record stands.
create trigger account_kept before update of id, demo, created_at on account for each row
  when ((old.id, old.demo, old.created_at) is distinct from (new.id, new.demo, new.created_at)) execute function refuse_change();
create trigger portfolio_kept before update of id, reference, owner_id, demo, created_at on portfolio for each row
  when ((old.id, old.reference, old.owner_id, old.demo, old.created_at) is distinct from (new.id, new.reference, new.owner_id, new.demo, new.created_at)) execute function refuse_change();

-- A commitment is opened once, after its moment, and is otherwise as it was made.
create trigger tip_commitment_kept before update on tip_commitment for each row
  when ((old.tip_id, old.salt, old.publication, old.opens_at) is distinct from (new.tip_id, new.salt, new.publication, new.opens_at)
    or (old.opened_at is not null and old.opened_at is distinct from new.opened_at) or new.opened_at < new.opens_at)
  execute function refuse_change();

-- The ledger grows at its end, each entry chained to the one before, with the hash of its content.
create function refuse_foreign_entries() returns trigger language plpgsql as $$
declare
  wrong integer;
begin
  select min(sequence) into wrong from (
    select added.sequence,
      added.sequence = head.sequence + row_number() over in_order
        and told ->> 'previousHash' = coalesce(lag(added.hash) over in_order, head.hash)
        and (told ->> 'at')::timestamptz >= coalesce(lag((told ->> 'at')::timestamptz) over in_order, head.at)
        and (added.portfolio is null or added.portfolio_sequence = row_number() over (partition by added.portfolio order by added.sequence)
          + coalesce((select max(known.portfolio_sequence) from ledger_entry known where known.portfolio = added.portfolio and known.sequence <= head.sequence), 0))
        and (told ->> 'sequence', told ->> 'portfolioSequence', told ->> 'kind', told ->> 'portfolio', told ->> 'tip', told ->> 'hash')
          is not distinct from (added.sequence::text, added.portfolio_sequence::text, added.kind, added.portfolio, added.tip, added.hash)
        and encode(sha256(convert_to(replace(added.entry, '"hash":"' || added.hash || '",', ''), 'UTF8')), 'hex') = added.hash as follows
    from added cross join ledger_head head cross join lateral (select added.entry::jsonb as told) parsed
    window in_order as (order by added.sequence)
  ) judged where follows is not true;
  if wrong is not null then
    raise exception 'entry % does not follow on the end of the ledger', wrong using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_follows after insert on ledger_entry referencing new table as added for each statement execute function refuse_foreign_entries();

create function refuse_foreign_nodes() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select min(added.level || '/' || added.index) into wrong from added
  left join ledger_entry entry on added.level = 0 and entry.sequence = added.index + 1
  left join ledger_node first on added.level > 0 and first.level = added.level - 1 and first.index = 2 * added.index
  left join ledger_node second on added.level > 0 and second.level = added.level - 1 and second.index = 2 * added.index + 1
  where added.hash is distinct from encode(sha256(case when added.level = 0 then '\x00'::bytea || decode(entry.hash, 'hex')
    else '\x01'::bytea || decode(first.hash, 'hex') || decode(second.hash, 'hex') end), 'hex');
  if wrong is not null then
    raise exception 'node % is not that of the tree over the entries', wrong using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger ledger_node_follows after insert on ledger_node referencing new table as added for each statement execute function refuse_foreign_nodes();

create function refuse_other_head() returns trigger language plpgsql as $$
begin
  if new.only_row is distinct from old.only_row or new.sequence < old.sequence or new.at < old.at
    or ((new.sequence, new.hash) is distinct from (old.sequence, old.hash)
      and (select (sequence, hash) is distinct from (new.sequence, new.hash) from ledger_entry order by sequence desc limit 1) is not false)
  then
    raise exception 'the head of the ledger moves forward only, to its last entry' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_head_follows before update on ledger_head for each row execute function refuse_other_head();
create trigger ledger_head_alone before insert on ledger_head for each row execute function refuse_change();

-- The database keeps public keys only: the private ones were moved into a file when the program started.
alter table signing_key alter column private_jwk drop not null;
create trigger signing_key_kept before update on signing_key for each row
  when ((old.id, old.public_key - 'validUntil') is distinct from (new.id, new.public_key - 'validUntil')
    or (old.public_key ->> 'validUntil' is not null and old.public_key is distinct from new.public_key)
    or (old.retired and not new.retired)
    or (new.private_jwk is not null and old.private_jwk is distinct from new.private_jwk))
  execute function refuse_change();
create function refuse_foreign_key() returns trigger language plpgsql as $$
declare
  last signing_key;
begin
  select * into last from signing_key order by public_key ->> 'validFrom' desc, id limit 1;
  if new.private_jwk is not null or new.public_key ->> 'kid' is distinct from new.id
    or (last.id is null and new.public_key ? 'rotation')
    or (last.id is not null and (not last.retired or new.public_key -> 'rotation' ->> 'signedBy' is distinct from last.id
      or new.public_key ->> 'validFrom' is distinct from last.public_key ->> 'validUntil'))
  then
    raise exception 'a signing key is the first or follows on the last one, which signed it' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger signing_key_follows before insert on signing_key for each row execute function refuse_foreign_key();

-- Bets go with their member; what was struck and what came of it stay as they are.
create function refuse_part_of_bet() returns trigger language plpgsql as $$
begin
  if exists (select from bet where id = old.bet_id) then
    raise exception 'delete on % is refused: it goes with its bet only', tg_table_name using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger bet_kept before update of id, reference, account_id, idempotency_key, request_hash, placed_at, entered_at, first_starts_at, stake_minor, currency_id, each_way, tip_id on bet for each row
  when ((old.id, old.reference, old.account_id, old.idempotency_key, old.request_hash, old.placed_at, old.entered_at, old.first_starts_at, old.stake_minor, old.currency_id, old.each_way, old.tip_id)
    is distinct from (new.id, new.reference, new.account_id, new.idempotency_key, new.request_hash, new.placed_at, new.entered_at, new.first_starts_at, new.stake_minor, new.currency_id, new.each_way, new.tip_id))
  execute function refuse_change();
create trigger bet_leg_kept before update on bet_leg for each row execute function refuse_change();
create trigger bet_leg_whole before delete on bet_leg for each row execute function refuse_part_of_bet();
create trigger bet_settlement_kept before update on bet_settlement for each row
  when ((old.bet_id, old.version, old.ordinal, old.outcome, old.staked_minor, old.return_microunits, old.profit_microunits, old.level_staked_hundredths, old.level_profit_microunits, old.legs, old.reason, old.settled_at)
    is distinct from (new.bet_id, new.version, new.ordinal, new.outcome, new.staked_minor, new.return_microunits, new.profit_microunits, new.level_staked_hundredths, new.level_profit_microunits, new.legs, new.reason, new.settled_at))
  execute function refuse_change();
create trigger bet_settlement_whole before delete on bet_settlement for each row execute function refuse_part_of_bet();

-- What a post said before stands beside what it says.
create function refuse_unkept_edit() returns trigger language plpgsql as $$
begin
  if new.version <> old.version + 1 or not exists (
    select from post_version where post_id = old.id and version = old.version and (title, body, premium_only) = (old.title, old.body, old.premium_only)
  ) then
    raise exception 'a post is edited only when what it said is kept' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger post_edit_kept before update on post for each row
  when ((old.title, old.body, old.premium_only, old.version, old.edited_at, old.edited_by) is distinct from (new.title, new.body, new.premium_only, new.version, new.edited_at, new.edited_by))
  execute function refuse_unkept_edit();
create trigger post_kept before update of id, reference, portfolio_id, idempotency_key, request_hash, published_at on post for each row
  when ((old.id, old.reference, old.portfolio_id, old.idempotency_key, old.request_hash, old.published_at) is distinct from (new.id, new.reference, new.portfolio_id, new.idempotency_key, new.request_hash, new.published_at))
  execute function refuse_change();
create function refuse_foreign_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from post where id = old.post_id) then
      raise exception 'delete on post_version is refused: it goes with its post only' using errcode = 'restrict_violation';
    end if;
    return old;
  end if;
  if not exists (select from post where id = new.post_id and (version, title, body, premium_only) = (new.version, new.title, new.body, new.premium_only)) then
    raise exception 'what is kept of a post is what it says' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger post_version_kept before update on post_version for each row execute function refuse_change();
create trigger post_version_true before insert or delete on post_version for each row execute function refuse_foreign_version();

-- Followers are counted by the database itself, and by nobody else.
alter function count_followers_come() security definer;
alter function count_followers_gone() security definer;
alter function count_followers_none() security definer;

-- Every function of a trigger finds our tables and no others, whoever calls it, and every guard also holds a session that replicates.
do $$
declare
  each record;
begin
  for each in select oid::regprocedure as name from pg_proc where pronamespace = current_schema()::regnamespace and prorettype = 'trigger'::regtype loop
    execute format('alter function %s set search_path = %I, pg_temp', each.name, current_schema());
  end loop;
  for each in
    select tgrelid::regclass as relation, tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and pronamespace = current_schema()::regnamespace and (proname like 'refuse\_%' or proname like 'keep\_%') and tgenabled <> 'A'
  loop
    execute format('alter table %s enable always trigger %I', each.relation, each.tgname);
  end loop;
end $$;
