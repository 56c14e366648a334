import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import { isoText } from '@/lib/platform/iso-text';
import type { RecordedTip } from '../rules';
import { problemsOfTip } from '../rules';
import type { AuditStep } from '../schema';

/** The last tip that was looked at. */
export type TipPlace = { tipId: number };

const instant = (column: string) => isoText(sql.ref(column));

async function readTips(after: number, limit: number): Promise<(RecordedTip & { id: number })[]> {
  const { rows } = await sql<RecordedTip & { id: number }>`
    select tip.id, tip.reference, portfolio.reference as portfolio, portfolio.visibility, ${instant('tip.published_at')} as "publishedAt", ${instant('tip.first_starts_at')} as "firstStartsAt",
      tip.stake_hundredths as "stakeHundredths", tip.each_way as "eachWay", tip.free, tip.hidden, encode(sha256(convert_to(tip.analysis, 'UTF8')), 'hex') as "analysisHash", tip.publication,
      exists (select from open_tip where tip_id = tip.id and open_tip.portfolio_id = tip.portfolio_id) as "isOpen",
      exists (select from open_tip where tip_id = tip.id and failure is not null) as "isSetAside", legs.legs, coalesce(recorded.entries, '[]') as entries, commitment.commitment, coalesce(settled.settlements, '[]') as settlements
    from tip
    join portfolio on portfolio.id = tip.portfolio_id
    left join lateral (
      select jsonb_agg(jsonb_build_object(
        'fixture', fixture.reference, 'startsAt', ${instant('leg.starts_at')},
        'market', jsonb_build_object('kind', market.kind, 'lineHundredths', market.line_hundredths, 'period', market.period, 'includesOvertime', market.includes_overtime),
        'selection', jsonb_build_object('key', selection.key, 'name', selection.name), 'bookmaker', bookmaker.reference,
        'price', jsonb_build_object('oddsThousandths', leg.odds_thousandths, 'fraction', case when num_nonnulls(leg.numerator, leg.denominator) > 0 then jsonb_build_object('numerator', leg.numerator, 'denominator', leg.denominator) end),
        'eachWayTerms', case when num_nonnulls(leg.each_way_places, leg.each_way_basis, leg.each_way_numerator, leg.each_way_denominator) > 0 then jsonb_build_object('places', leg.each_way_places, 'basis', leg.each_way_basis,
          'fraction', jsonb_build_object('numerator', leg.each_way_numerator, 'denominator', leg.each_way_denominator)) end,
        'details', jsonb_build_object('sport', league.sport_id, 'league', jsonb_build_object('reference', league.reference, 'name', league.name), 'fixtureName', fixture.name,
          'sides', case when home.id is not null and away.id is not null then jsonb_build_object('home', home.name, 'away', away.name) end,
          'participant', backed.reference, 'bookmakerName', bookmaker.name, 'priceAt', ${instant('leg.price_at')}),
        'position', leg.position, 'sameFixture', market.fixture_id = leg.fixture_id, 'sameMarket', selection.market_id = leg.market_id) order by leg.position) as legs
      from tip_leg leg
      join fixture on fixture.id = leg.fixture_id join league on league.id = fixture.league_id
      join market on market.id = leg.market_id join selection on selection.id = leg.selection_id join bookmaker on bookmaker.id = leg.bookmaker_id
      left join participant home on home.id = fixture.home_id left join participant away on away.id = fixture.away_id left join participant backed on backed.id = selection.participant_id
      where leg.tip_id = tip.id
    ) legs on true
    left join lateral (select jsonb_agg(entry::jsonb order by sequence) as entries from ledger_entry where ledger_entry.tip = tip.reference) recorded on true
    left join lateral (
      select jsonb_build_object('salt', salt, 'publication', tip_commitment.publication, 'opensAt', ${instant('opens_at')}, 'openedAt', ${instant('opened_at')}) as commitment
      from tip_commitment where tip_id = tip.id
    ) commitment on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('version', version, 'sequence', sequence, 'outcome', outcome, 'stakedHundredths', staked_hundredths, 'returnMicrounits', return_microunits::text,
        'profitMicrounits', profit_microunits::text, 'levelStakedHundredths', level_staked_hundredths, 'levelProfitMicrounits', level_profit_microunits::text, 'legs', own.legs,
        'facts', to_jsonb(own) -> 'facts', 'reason', reason, 'actor', actor, 'settledAt', ${instant('settled_at')},
        'unknownResults', (select count(*) from jsonb_each_text(results) used where used.value is distinct from '0'
          and not exists (select from fixture_result where fixture_id::text = used.key and fixture_result.version::text = used.value))) order by version) as settlements
      from tip_settlement own where tip_id = tip.id
    ) settled on true
    where tip.id > ${after} order by tip.id limit ${limit}
  `.execute(database());
  return rows;
}

/** Goes through the next so many tips: each against its entries on the record and its commitment, and its rows against each other. */
export async function auditTips(after: TipPlace | null, limit: number): Promise<AuditStep<TipPlace>> {
  const tips = await readTips(after?.tipId ?? 0, limit);
  const problems: string[] = [];
  for (const tip of tips) {
    const own = await problemsOfTip(tip).catch((error: unknown) => [
      `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    ]);
    problems.push(...own.map((problem) => `The tip ${tip.reference} ${problem}.`));
  }
  const last = tips.at(-1);
  return { problems, next: last && tips.length === limit ? { tipId: last.id } : null };
}
