import 'server-only';
import { sql } from 'kysely';
import { arrayOf, database } from '@/lib/platform/database';

type Touched = {
  bets: Map<number, { portfolioName: string; bet: string }>;
  portfolios: Map<number, { portfolio: string; name: string }>;
};

/** The words by which staff know tips and portfolios, by their ids: what a tip is on, and how a portfolio is called. For what staff alone are shown. */
export async function listTouchedTips(tipIds: readonly number[], portfolioIds: readonly number[]): Promise<Touched> {
  const tips = await sql<{ id: number; portfolioName: string; bet: string }>`
    select tip.id, portfolio.name as "portfolioName",
      (select string_agg(selection.name || ', ' || fixture.name, '; ' order by tip_leg.position) from tip_leg join fixture on fixture.id = fixture_id join selection on selection.id = selection_id where tip_id = tip.id) as bet
    from tip join portfolio on portfolio.id = portfolio_id where tip.id = any(${arrayOf(tipIds)}::int[])
  `.execute(database());
  const portfolios = await sql<{ id: number; portfolio: string; name: string }>`
    select id, reference as portfolio, name from portfolio where id = any(${arrayOf([...new Set(portfolioIds)])}::int[])
  `.execute(database());
  return {
    bets: new Map(tips.rows.map(({ id, ...tip }) => [id, tip])),
    portfolios: new Map(portfolios.rows.map(({ id, ...portfolio }) => [id, portfolio])),
  };
}
