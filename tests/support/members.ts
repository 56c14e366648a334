import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { member } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import type { PortfolioInput } from '@/lib/portfolios/schema/portfolios';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';

/** A member of this name who owns nothing. */
export async function join(username: string, now: Date): Promise<Viewer & { kind: 'member' }> {
  const { rows } = await sql<{
    id: number;
  }>`insert into account (username, created_at) values (${username}, ${now}) returning id`.execute(database());
  return member({ accountId: rows[0]?.id ?? 0, role: Role.user, pro: false, owns: [], subscribes: [] }) as Viewer & {
    kind: 'member';
  };
}

/** Puts a monthly plan of a portfolio on sale, without which a premium one locks nothing. */
export async function sellMonthly(portfolioId: number, now: Date): Promise<void> {
  await sql`
    with plan as (insert into plan (portfolio_id, period, on_sale, created_at) values (${portfolioId}, 'month', true, ${now}) on conflict (portfolio_id, period) do nothing returning id)
    insert into plan_price (plan_id, currency_id, amount_minor) select id, 1, 1500 from plan
  `.execute(database());
}

/** A member with a portfolio, made by the commands that everybody uses; a premium one has a monthly plan on sale. */
export async function openShop(
  username: string,
  portfolio: PortfolioInput,
  now: Date,
): Promise<{ owner: Viewer; id: number; reference: string }> {
  const stranger = await join(username, now);
  const { id, reference } = await createPortfolio(stranger, portfolio, now);
  if (portfolio.visibility === PortfolioVisibility.premium) await sellMonthly(id, now);
  const { accountId } = stranger;
  return { owner: member({ accountId, role: Role.user, pro: false, owns: [id], subscribes: [] }), id, reference };
}

/** The selection and price that a leg needs, by what a person would say. */
export async function offer(
  fixtureReference: string,
  kind: string,
  key: string,
  bookmaker: string,
): Promise<{ fixtureReference: string; selectionId: number; bookmakerId: number; oddsThousandths: number }> {
  const { rows } = await sql<{ selectionId: number; bookmakerId: number; oddsThousandths: number }>`
    select selection.id as "selectionId", bookmaker.id as "bookmakerId", price.opening_thousandths as "oddsThousandths"
    from fixture join market on market.fixture_id = fixture.id join selection on selection.market_id = market.id
    join price on price.selection_id = selection.id join bookmaker on bookmaker.id = price.bookmaker_id
    where fixture.reference = ${fixtureReference} and market.kind = ${kind} and selection.key = ${key} and bookmaker.reference = ${bookmaker}
  `.execute(database());
  if (!rows[0]) throw new Error(`There is no ${kind} ${key} of ${fixtureReference} at ${bookmaker}.`);
  return { fixtureReference, ...rows[0] };
}
