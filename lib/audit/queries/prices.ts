import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { AuditStep } from '../schema';

/** The last selection that was looked at. */
export type PricePlace = { selectionId: number };

type Judged = {
  selectionId: number;
  fixture: string;
  bookmaker: string;
  name: string;
  now: boolean;
  opening: boolean;
  closing: boolean;
  ended: boolean;
};

async function readJudged(after: number, limit: number): Promise<Judged[]> {
  const { rows } = await sql<Judged>`
    with page as (select id, market_id, name from selection where id > ${after} order by id limit ${limit}),
    offered as (select distinct selection_id, bookmaker_id from price_change where selection_id in (select id from page) and odds_thousandths is not null),
    quoted as (select selection_id, bookmaker_id from offered union select selection_id, bookmaker_id from price where selection_id in (select id from page))
    select page.id as "selectionId", fixture.reference as fixture, coalesce(bookmaker.name, '') as bookmaker, page.name,
      quoted.selection_id is null or coalesce((last.at, case when last.odds_thousandths is null then last.at end, newest.odds_thousandths, newest.numerator, newest.denominator)
        is not distinct from (price.changed_at, price.pulled_at, price.odds_thousandths, price.numerator, price.denominator), false) as now,
      quoted.selection_id is null or coalesce((oldest.at, oldest.odds_thousandths, oldest.numerator, oldest.denominator)
        is not distinct from (price.opened_at, price.opening_thousandths, price.opening_numerator, price.opening_denominator), false) as opening,
      num_nonnulls(price.closing_thousandths, price.closing_numerator, price.closing_denominator) = 0 or exists (
        select from price_change closing where closing.selection_id = page.id and closing.bookmaker_id = price.bookmaker_id and at <= greatest(fixture.starts_at, fixture.off_at)
          and (closing.odds_thousandths, closing.numerator, closing.denominator) is not distinct from (price.closing_thousandths, price.closing_numerator, price.closing_denominator)) as closing,
      (fixture.status = 'complete') = exists (select from fixture_result where fixture_id = fixture.id) as ended
    from page
    join market on market.id = page.market_id join fixture on fixture.id = market.fixture_id
    left join quoted on quoted.selection_id = page.id
    left join price on price.selection_id = page.id and price.bookmaker_id = quoted.bookmaker_id left join bookmaker on bookmaker.id = quoted.bookmaker_id
    left join lateral (select * from price_change c where c.selection_id = page.id and c.bookmaker_id = quoted.bookmaker_id order by at desc limit 1) last on true
    left join lateral (select * from price_change c where c.selection_id = page.id and c.bookmaker_id = quoted.bookmaker_id and odds_thousandths is not null order by at desc limit 1) newest on true
    left join lateral (select * from price_change c where c.selection_id = page.id and c.bookmaker_id = quoted.bookmaker_id and odds_thousandths is not null order by at limit 1) oldest on true
    order by page.id
  `.execute(database());
  return rows;
}

/** Goes through the prices of the next so many selections: each is the newest of its history, opened with the first and closed with one from before the start; and what ended has a result. */
export async function auditPrices(after: PricePlace | null, limit: number): Promise<AuditStep<PricePlace>> {
  const rows = await readJudged(after?.selectionId ?? 0, limit);
  const problems = rows.flatMap(({ fixture, bookmaker, name, now, opening, closing, ended }) => {
    const of = `of ${bookmaker} on ${name} in ${fixture}`;
    return [
      ...(now ? [] : [`The price ${of} is not the newest of its history.`]),
      ...(opening ? [] : [`The opening price ${of} is not the first of its history.`]),
      ...(closing ? [] : [`The closing price ${of} is not one of its history before the start.`]),
      ...(ended ? [] : [`The fixture ${fixture} is complete otherwise than by its results.`]),
    ];
  });
  const ids = new Set(rows.map(({ selectionId }) => selectionId));
  const last = rows.at(-1);
  return {
    problems: [...new Set(problems)],
    next: last && ids.size === limit ? { selectionId: last.selectionId } : null,
  };
}
