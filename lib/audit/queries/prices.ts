import 'server-only';
import { sql } from 'kysely';
import { database } from '@/lib/platform/database';
import type { AuditStep } from '../schema';

/** The last selection that was looked at. */
export type PricePlace = { selectionId: number };

type Judged = { selectionId: number; fixture: string; bookmaker: string; name: string; now: boolean; opening: boolean; closing: boolean };

/** Goes through the prices of the next so many selections: each is the newest of its history, opened with the first and closed with one from before the start. */
export async function auditPrices(after: PricePlace | null, limit: number): Promise<AuditStep<PricePlace>> {
  const { rows } = await sql<Judged>`
    with page as (select id, market_id, name from selection where id > ${after?.selectionId ?? 0} order by id limit ${limit})
    select page.id as "selectionId", fixture.reference as fixture, coalesce(bookmaker.name, '') as bookmaker, page.name,
      price.selection_id is null or coalesce((newest.odds_thousandths, newest.numerator, newest.denominator) is not distinct from (price.odds_thousandths, price.numerator, price.denominator), false) as now,
      price.selection_id is null or coalesce((oldest.odds_thousandths, oldest.numerator, oldest.denominator) is not distinct from (price.opening_thousandths, price.opening_numerator, price.opening_denominator), false) as opening,
      price.closing_thousandths is null or exists (
        select from price_change closing where closing.selection_id = page.id and closing.bookmaker_id = price.bookmaker_id and at <= greatest(fixture.starts_at, fixture.off_at)
          and (closing.odds_thousandths, closing.numerator, closing.denominator) is not distinct from (price.closing_thousandths, price.closing_numerator, price.closing_denominator)) as closing
    from page
    join market on market.id = page.market_id join fixture on fixture.id = market.fixture_id
    left join price on price.selection_id = page.id left join bookmaker on bookmaker.id = price.bookmaker_id
    left join lateral (select * from price_change c where c.selection_id = page.id and c.bookmaker_id = price.bookmaker_id and odds_thousandths is not null order by at desc limit 1) newest on true
    left join lateral (select * from price_change c where c.selection_id = page.id and c.bookmaker_id = price.bookmaker_id and odds_thousandths is not null order by at limit 1) oldest on true
    order by page.id
  `.execute(database());
  const problems = rows.flatMap(({ fixture, bookmaker, name, now, opening, closing }) => {
    const of = `of ${bookmaker} on ${name} in ${fixture}`;
    return [
      ...(now ? [] : [`The price ${of} is not the newest of its history.`]),
      ...(opening ? [] : [`The opening price ${of} is not the first of its history.`]),
      ...(closing ? [] : [`The closing price ${of} is not one of its history before the start.`]),
    ];
  });
  const ids = new Set(rows.map(({ selectionId }) => selectionId));
  const last = rows.at(-1);
  return { problems, next: last && ids.size === limit ? { selectionId: last.selectionId } : null };
}
