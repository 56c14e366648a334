import { sql } from 'kysely';
import { randomFrom } from '@/lib/feeds/demo/random';
import { member } from '@/lib/http/viewer';
import { setPlans } from '@/lib/memberships/commands';
import { database } from '@/lib/platform/database';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';

const monthlyPounds = [9, 12, 15, 19, 25, 29];

/** Product §4: puts the demo portfolios that have members on sale, at prices of the seed, through the command that every tipster uses; those that were keep theirs. */
export async function openDemoSales(seed: string, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number; reference: string; owner: number }>`
    select portfolio.id, portfolio.reference, owner_id as owner from portfolio
    where demo and visibility = ${PortfolioVisibility.premium} and abandoned_at is null and not exists (select from portfolio_sale where portfolio_id = portfolio.id) order by id
  `.execute(database());
  for (const { id, reference, owner } of rows) {
    const random = randomFrom(seed, reference, 'prices');
    const pounds = random.pick(monthlyPounds);
    const tipsPromised = random.chance(0.4) ? 8 : null;
    const profitOrFree = random.chance(0.25);
    const plan = (period: 'month' | 'quarter' | 'year', months: number) => ({
      period,
      onSale: true,
      tipsPromised: period === 'month' ? tipsPromised : null,
      profitOrFree,
      prices: [
        { currencyId: CurrencyId.GBP, amountMinor: Math.round(pounds * months) * 100 - 1 },
        { currencyId: CurrencyId.EUR, amountMinor: Math.round(pounds * 1.2 * months) * 100 - 1 },
      ],
    });
    await setPlans(
      member({ accountId: owner, role: Role.user, pro: false, owns: [id], subscribes: [] }),
      reference,
      {
        mainCurrencyId: CurrencyId.GBP,
        trialDays: random.chance(0.3) ? 7 : 0,
        plans: [plan('month', 1), plan('quarter', 2.7), plan('year', 9)],
      },
      undefined,
      now,
    );
  }
}
