/** What happens to a change: the database refuses it, the audit of the record finds it, or it is allowed and nothing of the record depends on it. */
export type Outcome = 'refused' | 'found' | 'live';

/** The same of the program's role, and of the owner with the triggers off. */
export type Outcomes = `${Outcome} ${Outcome}`;

/**
 * What a page, a statistic or a settlement shows or uses: its columns by what happens when the program's role changes them and when the owner does, in a row that
 * the record rests on; `unshown` are those that no page, statistic or settlement shows or uses.
 */
export type GuardedTable = {
  table: string;
  row: string;
  update: Partial<Record<Outcomes, string>>;
  remove: Outcomes;
  unshown?: string;
  because?: string;
};

/** Every table that is shown, each of its columns once; where nothing is found there is a reason. */
export const guardedTables: readonly GuardedTable[] = [
  {
    table: 'fixture',
    row: `reference = 'athletic-v-wanderers-2026-03-10'`,
    update: {
      'refused refused': 'id',
      'refused found':
        'reference league_id name home_id away_id status season starts_at start_time_known demo handicap off_at postponed_by switched_by',
      'live live': 'sources closed_at result_attempts result_asked_at',
    },
    remove: 'refused refused',
    because:
      'Which feeds know a fixture, when its prices were marked as closing and how often its result was asked for are the program’s own notes.',
  },
  {
    table: 'fixture_result',
    row: `fixture_id = (select id from fixture where reference = 'athletic-v-wanderers-2026-03-10') and version = 2`,
    update: {
      'refused refused': 'fixture_id version',
      'refused found':
        'home_score away_score scores scorers positions abandoned ending source recorded_at places_known started_at',
      'refused live': 'finish',
    },
    because: 'How a result came about is said beside it, and nothing is settled by it.',
    remove: 'refused refused',
  },
  {
    table: 'fixture_result',
    row: `fixture_id = (select id from fixture where reference = 'ayr-2026-03-10-2000')`,
    update: {
      'refused refused': 'fixture_id',
      'refused found':
        'version positions abandoned ending home_score away_score scores scorers source recorded_at places_known started_at',
      'refused live': 'finish',
    },
    because: 'How a result came about is said beside it, and nothing is settled by it.',
    remove: 'refused found',
  },
  {
    table: 'runner',
    row: `participant_id = (select id from participant where reference = 'tin-whistle')`,
    update: {
      'refused refused': 'fixture_id participant_id',
      'refused found': 'position number',
      'found found': 'withdrawn_at withdrawal_thousandths',
      'live found':
        'withdrawal_numerator withdrawal_denominator starting_thousandths starting_numerator starting_denominator',
      'live live': 'withdrawal_ruled jockey trainer weight_pounds draw',
    },
    remove: 'refused found',
    because:
      'A feed adds what was not known; a withdrawal counts, its fraction and the starting price are shown as they were told. Whether staff have put a withdrawal right says only that sources add nothing to it. Who rides at which weight changes up to the start, and nothing is settled by it.',
  },
  {
    table: 'league',
    row: `reference = 'england-northern-league'`,
    update: {
      'refused refused': 'id',
      'refused found': 'sport_id reference name country_iso2 territory',
      'live live': 'rank',
    },
    remove: 'refused refused',
    because: 'The order of leagues is the program’s choice.',
  },
  {
    table: 'participant',
    row: `reference = 'athletic'`,
    update: { 'refused refused': 'id', 'refused found': 'sport_id reference name' },
    remove: 'refused refused',
  },
  {
    table: 'market',
    row: 'id = (select market_id from tip_leg order by tip_id limit 1 offset 1)',
    update: { 'refused refused': 'id', 'refused found': 'fixture_id kind line_hundredths period includes_overtime' },
    remove: 'refused refused',
  },
  {
    table: 'selection',
    row: 'id = (select selection_id from tip_leg order by tip_id limit 1 offset 1)',
    update: {
      'refused refused': 'id',
      'refused found': 'market_id key name participant_id position',
      'live found': 'closing_average_thousandths',
    },
    remove: 'refused refused',
    because: 'The average of closing prices is told once, by a feed.',
  },
  {
    table: 'price',
    row: 'selection_id = (select selection_id from tip_leg order by tip_id limit 1 offset 1) and bookmaker_id = (select bookmaker_id from tip_leg order by tip_id limit 1 offset 1)',
    update: {
      'refused refused': 'selection_id',
      'refused found':
        'bookmaker_id opening_thousandths opening_numerator opening_denominator closing_thousandths closing_numerator closing_denominator',
      'found found': 'odds_thousandths numerator denominator opened_at changed_at pulled_at',
      'live live': 'closing_found',
    },
    because:
      'Whether a closing price was found in the history or named by a source is the program’s own note: it is one of the history in either case.',
    remove: 'refused found',
  },
  {
    table: 'price_change',
    row: 'selection_id = (select selection_id from tip_leg order by tip_id limit 1 offset 1) and bookmaker_id = (select bookmaker_id from tip_leg order by tip_id limit 1 offset 1)',
    update: { 'refused found': 'selection_id bookmaker_id at odds_thousandths numerator denominator time_known' },
    remove: 'refused found',
  },
  {
    table: 'bookmaker',
    row: 'id = (select bookmaker_id from tip_leg order by tip_id limit 1 offset 1)',
    update: {
      'refused refused': 'id',
      'refused found': 'reference name exchange demo',
      'live found':
        'url bonus_offer bonus_terms rating description bullet_points background_colour show_on_markets markets_country_block show_on_live_odds live_odds_country_block show_on_add_tips add_tips_country_block',
      'live live': 'rank revision',
    },
    remove: 'refused refused',
    because: 'Staff keep what is said of a bookmaker, where it is shown and in which place; who it is stays.',
  },
  {
    table: 'account',
    row: `username = 'ann'`,
    update: {
      'refused refused': 'id',
      'live found': 'username role pro deleted_at',
      'live live':
        'email password_hash email_confirmed news location max_stake_hundredths bet_currency_id buy_currency_id country_id timezone_id odds_display affiliate_reference',
      'refused found': 'demo created_at',
    },
    remove: 'refused refused',
    because: 'A member changes what is their own, and staff change roles; what only the member sees is theirs.',
  },
  {
    table: 'portfolio',
    row: `reference = 'ann-football'`,
    update: {
      'refused refused': 'id',
      'refused found': 'reference owner_id demo created_at',
      'live found':
        'name description visibility default_tip_stake_hundredths welcome_message premium_welcome_message coupon_id tipledger_pro abandoned_at',
      'live live': 'picture',
    },
    remove: 'refused refused',
    because:
      'An owner describes a portfolio and may abandon it, staff hide it and take it into pro; its record stands under its reference.',
  },
  {
    table: 'portfolio_followers',
    row: 'true',
    update: { 'refused found': 'portfolio_id followers' },
    remove: 'refused found',
  },
  {
    table: 'follow',
    row: 'true',
    update: {
      'refused found': 'account_id created_at unsubscribe_guid portfolio_id',
      'live found': 'max_stake_hundredths tip_mails post_mails',
    },
    remove: 'live found',
    because: 'A member follows whom they like; how many follow is counted by the database.',
  },
  {
    table: 'membership',
    row: 'true',
    update: {
      'refused refused': 'id reference plan_id method_id coupon_id',
      'refused found': 'account_id portfolio_id starts_at',
      'live found': 'ends_at',
      'refused live': 'currency_id counted_from',
      'live live':
        'amount_minor next_amount_minor next_amount_from periods period_starts_at period_ends_at trial_ends_at cancelled_at past_due_at tries reminded_of card_asked_of next_at ended_at ended_because',
    },
    remove: 'refused found',
    because: 'The program renews, cancels and ends memberships; what was paid for them stands in the books.',
  },
  {
    table: 'tip',
    row: `idempotency_key = 'home'`,
    update: {
      'refused refused': 'id',
      'refused found':
        'reference portfolio_id published_at first_starts_at stake_hundredths each_way free hidden analysis publication',
    },
    remove: 'refused refused',
    unshown: 'idempotency_key request_hash',
  },
  {
    // For members and hidden, so that the record has it as a commitment either way.
    table: 'tip',
    row: `idempotency_key = 'closed'`,
    update: {
      'refused refused': 'id',
      'refused found':
        'reference portfolio_id published_at first_starts_at stake_hundredths each_way free hidden analysis publication',
    },
    remove: 'refused refused',
    unshown: 'idempotency_key request_hash',
  },
  {
    table: 'tip_leg',
    row: `tip_id = (select id from tip where idempotency_key = 'home')`,
    update: {
      'refused found':
        'tip_id position fixture_id market_id selection_id bookmaker_id odds_thousandths numerator denominator price_at starts_at each_way_places each_way_numerator each_way_denominator each_way_basis',
    },
    remove: 'refused found',
  },
  {
    table: 'tip_settlement',
    row: `tip_id = (select id from tip where idempotency_key = 'home') and version = 2`,
    update: {
      'refused found':
        'tip_id version sequence outcome staked_hundredths return_microunits profit_microunits level_profit_microunits level_staked_hundredths legs results reason actor settled_at facts',
      'refused refused': 'ordinal',
    },
    remove: 'refused found',
  },
  {
    table: 'open_tip',
    row: `tip_id = (select id from tip where idempotency_key = 'closed')`,
    update: {
      'refused refused': 'tip_id',
      'refused found': 'portfolio_id',
      'live live': 'due_at attempts failure failed_at',
    },
    remove: 'found found',
    because: 'When results are looked at next, and why that failed last.',
  },
  {
    table: 'tip_commitment',
    row: 'opened_at is null',
    update: { 'refused found': 'tip_id salt publication opens_at opened_at' },
    remove: 'refused found',
  },
  {
    table: 'ledger_entry',
    row: 'sequence = 2',
    update: { 'refused found': 'sequence portfolio_sequence kind portfolio tip entry hash' },
    remove: 'refused found',
  },
  {
    table: 'ledger_node',
    row: 'level = 0 and index = 1',
    update: { 'refused found': 'level index hash' },
    remove: 'refused found',
  },
  {
    table: 'ledger_head',
    row: 'true',
    update: { 'refused refused': 'only_row', 'refused found': 'sequence hash', 'found found': 'at' },
    remove: 'refused found',
  },
  {
    table: 'ledger_checkpoint',
    row: 'sequence = (select max(sequence) from ledger_checkpoint)',
    update: { 'refused refused': 'sequence', 'refused found': 'checkpoint' },
    remove: 'refused refused',
  },
  {
    table: 'ledger_note',
    row: 'sequence = (select min(sequence) from ledger_note)',
    update: { 'refused refused': 'sequence', 'refused found': 'origin note' },
    remove: 'refused refused',
  },
  {
    table: 'ledger_cosignature',
    row: 'true',
    update: { 'refused found': 'sequence witness line' },
    remove: 'refused found',
  },
  {
    table: 'signing_key',
    row: 'true',
    update: { 'refused found': 'id public_key private_jwk', 'found found': 'retired' },
    remove: 'refused found',
  },
  {
    table: 'portfolio_day',
    row: 'true',
    update: { 'refused found': 'portfolio_id day', 'found found': 'rollup breakdowns', 'live live': 'fold' },
    remove: 'refused found',
    because: 'By which version of the fold a day was folded; an older one is folded anew.',
  },
  {
    table: 'portfolio_day_sport',
    row: 'sport_id = 0',
    update: { 'refused found': 'portfolio_id sport_id day', 'found found': 'rollup' },
    remove: 'refused found',
  },
  {
    table: 'portfolio_luck',
    row: 'true',
    update: {
      'refused refused': 'sport_id period',
      'refused found': 'portfolio_id',
      'found found': 'digest advised level',
    },
    remove: 'found found',
  },
  {
    table: 'portfolio_standing',
    row: 'sport_id = 0 and period = 6',
    update: {
      'refused found':
        'portfolio_id sport_id as_of tips won average_odds strike_rate clv profit_advised yield_advised drawdown_advised profit_level yield_level drawdown_level summary follower_tips still_there follower_profit_advised follower_yield_advised follower_profit_level follower_yield_level',
      'refused refused': 'period',
    },
    remove: 'found found',
  },
  {
    table: 'portfolio_sketch',
    row: 'sport_id = 0',
    update: { 'refused found': 'portfolio_id sport_id', 'found found': 'standing form curves speciality' },
    remove: 'refused found',
  },
  {
    table: 'standing_base',
    row: 'sport_id = 0',
    update: { 'refused found': 'portfolio_id sport_id day sums' },
    remove: 'live live',
    because: 'What is missing is computed again from the days.',
  },
  {
    table: 'post',
    row: 'true',
    update: {
      'refused refused': 'id',
      'refused found':
        'reference portfolio_id idempotency_key request_hash title body premium_only published_at edited_at version edited_by',
    },
    remove: 'refused refused',
  },
  {
    table: 'post_version',
    row: 'true',
    update: {
      'refused refused': 'post_id',
      'refused found': 'version title body premium_only tips written_at written_by',
    },
    remove: 'refused found',
  },
  {
    table: 'post_tip',
    row: 'position = 1',
    update: { 'refused refused': 'post_id', 'refused found': 'position tip_id' },
    remove: 'live found',
    because: 'A tipster chooses which tips a post holds.',
  },
  {
    table: 'bet',
    row: 'true',
    update: {
      'refused refused': 'id',
      'refused found':
        'reference account_id idempotency_key request_hash placed_at entered_at first_starts_at stake_minor currency_id each_way tip_id',
      'live live': 'due_at attempts failure failed_at',
    },
    remove: 'live found',
    because:
      'A member may take an open bet out of their record; when it is looked at next, and why that failed, is shown to staff.',
  },
  {
    table: 'bet_leg',
    row: 'true',
    update: {
      'refused refused': 'bet_id',
      'refused found':
        'position fixture_id market_id selection_id bookmaker_id bookmaker_name odds_thousandths numerator denominator own_price starts_at each_way_places each_way_numerator each_way_denominator each_way_basis details',
    },
    remove: 'refused found',
  },
  {
    table: 'bet_settlement',
    row: 'true',
    update: {
      'refused refused': 'bet_id ordinal',
      'refused found':
        'version outcome staked_minor return_microunits profit_microunits level_staked_hundredths level_profit_microunits legs reason settled_at',
      'live found': 'results',
    },
    remove: 'refused found',
    because: 'A correction that changes nothing is noted with the settlement that stands.',
  },
  {
    table: 'settlement_setting',
    row: 'true',
    update: {
      'refused refused': 'id',
      'refused found': 'sport_id bookmaker_id from_at retirement_rule postponement_hours rule4_minimum_pence',
    },
    remove: 'refused found',
  },
  {
    table: 'resettlement',
    row: 'true',
    update: { 'refused refused': 'fixture_id version', 'refused found': 'done_at' },
    remove: 'refused found',
  },
  {
    table: 'kept_change',
    row: `relation = 'post' and seal is not null`,
    update: { 'refused refused': 'id', 'refused found': 'relation about digest salt seal' },
    remove: 'refused found',
  },
  {
    table: 'kept_seal',
    row: 'number = 1',
    update: { 'refused found': 'number changes digest' },
    remove: 'refused found',
  },
  {
    table: 'live_score',
    row: 'true',
    update: {
      'refused found': 'fixture_id',
      'live live': 'home_score away_score period scores clock_minutes clock_until clock_since ended changed_at',
    },
    remove: 'live found',
    because: 'The score of a match under way; no tip is settled by it.',
  },
];

/** What a column is set to, where one more or a letter more would be no value for it. */
export const changedTo: Record<string, string> = {
  'fixture.status': `'retry'`,
  'fixture_result.ending': `'walkover'`,
  'league.country_iso2': `'XX'`,
  'market.fixture_id': '(select max(id) from fixture)',
  'market.kind': `'moneyline'`,
  'market.period': `'half-time'`,
  'selection.closing_average_thousandths': '2000',
  'price.selection_id': '(select max(id) from selection)',
  'price_change.selection_id': '(select max(id) from selection)',
  'price_change.numerator': '5, denominator = 4',
  'price_change.denominator': '4, numerator = 5',
  'runner.starting_thousandths': '2000',
  'runner.starting_numerator': '1, starting_denominator = 2',
  'runner.starting_denominator': '2, starting_numerator = 1',
  'runner.withdrawal_thousandths':
    'coalesce(withdrawal_thousandths, 1999) + 1, withdrawn_at = coalesce(withdrawn_at, now())',
  'runner.withdrawal_numerator': '1, withdrawal_denominator = 2',
  'runner.withdrawal_denominator': '2, withdrawal_numerator = 1',
  'account.email': `'x@example.com'`,
  'account.location': `'FR'`,
  'account.odds_display': `'fraction'`,
  'tip.reference': `'aaaaaaaaaa'`,
  'tip.portfolio_id': `(select id from portfolio where reference = 'carol-racing')`,
  'tip_leg.tip_id': `(select id from tip where idempotency_key = 'closed'), position = 2`,
  'tip_leg.each_way_basis': `'fixed'`,
  'tip_settlement.tip_id': `(select id from tip where idempotency_key = 'closed')`,
  'open_tip.failure': `'x', failed_at = now()`,
  'open_tip.failed_at': `now(), failure = 'x'`,
  'tip_commitment.tip_id': `(select id from tip where idempotency_key = 'home')`,
  'tip_commitment.publication': `replace(publication, 'City', 'Town')`,
  'ledger_entry.sequence': 'sequence + 1000',
  'ledger_entry.portfolio_sequence': 'portfolio_sequence + 1000',
  'ledger_entry.entry': `replace(entry, '"stakeHundredths":100', '"stakeHundredths":900')`,
  'ledger_entry.hash': `repeat('ab', 32)`,
  'ledger_node.level': 'level + 20',
  'ledger_node.index': 'index + 1000',
  'ledger_checkpoint.sequence': '(select max(sequence) from ledger_entry)',
  'portfolio_day.portfolio_id': `(select id from portfolio where reference = 'carol-racing')`,
  'portfolio_day_sport.portfolio_id': `(select id from portfolio where reference = 'carol-racing')`,
  'portfolio_day_sport.sport_id': '9',
  'portfolio_luck.advised': '0.5',
  'portfolio_luck.level': '0.5',
  'standing_base.portfolio_id': `(select id from portfolio where reference = 'carol-racing')`,
  'standing_base.sport_id': '9',
  'standing_base.sums': `'{"6": {}}'`,
  'portfolio.picture': `repeat('a', 64) || '-256x256.webp'`,
  'portfolio_sketch.portfolio_id': `(select id from portfolio where reference = 'carol-racing')`,
  'portfolio_sketch.sport_id': '9',
  'portfolio_sketch.form': `'LLL'`,
  'portfolio_sketch.curves': `'{"6": {}}'`,
  'portfolio_sketch.speciality': `'{"key": "1", "kind": "sport", "of": 20, "tips": 12}'`,
  'portfolio_standing.portfolio_id': `(select id from portfolio where reference = 'carol-racing')`,
  'portfolio_standing.sport_id': '9',
  'post.reference': `'bbbbbbbbbb'`,
  'post.published_at': `published_at - interval '1 hour'`,
  'post.portfolio_id': `(select id from portfolio where reference = 'carol-racing')`,
  'bet.reference': `'cccccccccc'`,
  'bet.placed_at': `placed_at - interval '1 minute'`,
  'bet.failure': `'x', failed_at = now()`,
  'bet.failed_at': `now(), failure = 'x'`,
  'bet_leg.bookmaker_name': `'X', bookmaker_id = null, own_price = true`,
  'bet_leg.each_way_basis': `'fixed'`,
  'bet_settlement.version': `version + 1, reason = 'x'`,
  'settlement_setting.retirement_rule': `'complete'`,
  'settlement_setting.rule4_minimum_pence': '5',
  'kept_change.salt': 'gen_random_uuid()',
  'kept_seal.number': 'number + 1000',
  'kept_seal.digest': `repeat('ab', 32)`,
  'ledger_cosignature.sequence': '(select max(sequence) from ledger_note)',
  'follow.unsubscribe_guid': 'gen_random_uuid()',
  'follow.portfolio_id': `(select id from portfolio where reference = 'ann-football')`,
  'follow.account_id': `(select id from account where username = 'staff')`,
  'post_tip.tip_id': `(select id from tip where idempotency_key = 'race')`,
  'post_tip.position': 'position + 5',
  'live_score.fixture_id': `(select max(id) from fixture)`,
  'membership.account_id': `(select id from account where username = 'staff')`,
  'membership.portfolio_id': `(select id from portfolio where reference = 'ann-football')`,
  'portfolio_followers.portfolio_id': `(select id from portfolio where reference = 'ann-football')`,
  'live_score.clock_minutes': '1, clock_until = 45, clock_since = now()',
  'live_score.clock_until': '45, clock_minutes = 1, clock_since = now()',
  'live_score.clock_since': 'now(), clock_minutes = 1, clock_until = 45',
};

/** Rows that nobody published, settled or told, by what becomes of them when the program's role and when the owner writes them. */
export const foreignRows: readonly [table: string, statement: string, outcome: Outcomes][] = [
  [
    'ledger_entry',
    `insert into ledger_entry select sequence + 1000, portfolio_sequence + 1000, kind, portfolio, tip, entry, repeat('cd', 32) from ledger_entry where sequence = 2`,
    'refused found',
  ],
  ['ledger_node', `insert into ledger_node values (20, 0, repeat('cd', 32))`, 'refused found'],
  ['ledger_head', `insert into ledger_head values (false, 0, '', 'epoch')`, 'refused refused'],
  [
    'ledger_checkpoint',
    `insert into ledger_checkpoint select 2, checkpoint from ledger_checkpoint limit 1`,
    'found found',
  ],
  [
    'signing_key',
    `insert into signing_key (id, public_key) values ('x', '{"kid": "x", "validFrom": "2026-03-12T00:00:00.000Z", "validUntil": null}')`,
    'refused found',
  ],
  [
    'tip',
    `insert into tip (reference, portfolio_id, idempotency_key, request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication)
     select 'dddddddddd', portfolio_id, 'foreign', request_hash, published_at, first_starts_at, stake_hundredths, each_way, free, hidden, analysis, publication from tip where idempotency_key = 'home'`,
    'found found',
  ],
  [
    'tip_settlement',
    `insert into tip_settlement (tip_id, version, outcome, staked_hundredths, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, results, reason, actor, settled_at)
     select tip_id, version + 1, 'won', staked_hundredths, 2500000, 1500000, level_staked_hundredths, 1500000, legs, results, 'Because.', actor, settled_at from tip_settlement where version = 2 limit 1`,
    'found found',
  ],
  [
    'tip_leg',
    `insert into tip_leg select (jsonb_populate_record(leg, jsonb_build_object('position', 2, 'fixture_id', (select max(id) from fixture)))).* from tip_leg leg where tip_id = (select id from tip where idempotency_key = 'home')`,
    'found found',
  ],
  [
    'tip_commitment',
    `insert into tip_commitment select (select id from tip where idempotency_key = 'home'), salt, publication, opens_at, opened_at from tip_commitment limit 1`,
    'found found',
  ],
  [
    'open_tip',
    `insert into open_tip (tip_id, portfolio_id, due_at) select id, portfolio_id, published_at from tip where idempotency_key = 'home'`,
    'found found',
  ],
  [
    'fixture_result',
    `insert into fixture_result (fixture_id, version, home_score, away_score, source, recorded_at) select fixture_id, 9, 0, 0, source, recorded_at from fixture_result limit 1`,
    'refused found',
  ],
  [
    'portfolio_day',
    `insert into portfolio_day (portfolio_id, day, rollup, breakdowns, fold) select (select id from portfolio where reference = 'carol-racing'), day, rollup, breakdowns, fold from portfolio_day limit 1`,
    'found found',
  ],
  [
    'portfolio_day_sport',
    `insert into portfolio_day_sport (portfolio_id, sport_id, day, rollup) select (select id from portfolio where reference = 'carol-racing'), sport_id, day, rollup from portfolio_day_sport limit 1`,
    'found found',
  ],
  [
    'standing_base',
    `insert into standing_base (portfolio_id, sport_id, day, sums) select (select id from portfolio where reference = 'carol-racing'), 9, day, sums from standing_base limit 1`,
    'found found',
  ],
  [
    'portfolio_standing',
    `insert into portfolio_standing select (jsonb_populate_record(standing, jsonb_build_object('portfolio_id', (select id from portfolio where reference = 'carol-racing')))).* from portfolio_standing standing limit 1`,
    'found found',
  ],
  [
    'portfolio_sketch',
    `insert into portfolio_sketch select (select id from portfolio where reference = 'carol-racing'), sport_id, standing, form, curves, speciality from portfolio_sketch limit 1`,
    'found found',
  ],
  [
    'portfolio_followers',
    `insert into portfolio_followers select id, 500 from portfolio where reference = 'ann-football'`,
    'refused found',
  ],
  [
    'price',
    `insert into price (selection_id, bookmaker_id, odds_thousandths, opening_thousandths, opened_at, changed_at) select id, 106, 9000, 9000, now(), now() from selection where key = 'home' order by id desc limit 1`,
    'found found',
  ],
  [
    'price_change',
    `insert into price_change (selection_id, bookmaker_id, at, time_known, odds_thousandths) select selection_id, bookmaker_id, at + interval '1 minute', true, 9000 from price_change order by at desc limit 1`,
    'found found',
  ],
  [
    'kept_change',
    `insert into kept_change (relation, about, digest) select relation, about, 1 from kept_change where relation = 'post' limit 1`,
    'refused found',
  ],
  [
    'kept_seal',
    `insert into kept_seal select number + 7, changes, digest from kept_seal order by number desc limit 1`,
    'refused found',
  ],
  [
    'bet_settlement',
    `insert into bet_settlement (bet_id, version, outcome, staked_minor, return_microunits, profit_microunits, level_staked_hundredths, level_profit_microunits, legs, results, reason, settled_at)
     select bet_id, version + 1, 'won', staked_minor, return_microunits + 5, profit_microunits + 5, level_staked_hundredths, level_profit_microunits, legs, results, 'Because.', settled_at from bet_settlement limit 1`,
    'live found',
  ],
  [
    'post_version',
    `insert into post_version select post_id, 2, 'Never said', body, premium_only, tips, written_at, written_by from post_version limit 1`,
    'refused found',
  ],
];
