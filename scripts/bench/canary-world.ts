import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { createAccount, hashPassword } from '@/lib/accounts/commands';
import { member } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { setPlans } from '@/lib/memberships/commands';
import { plansInputSchema } from '@/lib/memberships/schema';
import { createPortfolio } from '@/lib/portfolios/commands';
import { publishPost } from '@/lib/posts/commands';
import { CurrencyId, houseBookmakerId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { publishPastTips } from '@/lib/tips/commands';
import type { TipInput } from '@/lib/tips/schema';

/** The password of everybody in the world of the canaries. */
export const canaryPassword = 'eleven amber canaries';

/** Somebody whose private views all hold `canary-<number>-`: a member by the public name and the address, an owner by the address and by what nobody but members may read. */
export type Person = { number: number; username: string };

/** An owner with a portfolio for members, and the references of what is private in it. */
export type Owner = Person & { viewer: Viewer; portfolio: string; membersTip: string; hiddenTip: string; post: string };

/** Owners, and members each of whom has bought the membership of one of them. */
export type CanaryWorld = { owners: readonly Owner[]; members: readonly (Person & { bought: Owner })[] };

const owners = 8;
const members = 12;

/** The mark of somebody's private texts. */
export const markOf = (number: number): string => `canary-${number}-`;

type Leg = TipInput['legs'][number];

/** Selections of matches hours ahead, each with a price that is on offer, no two of one match. */
export async function readOffers(limit: number): Promise<Leg[]> {
  const { rows } = await sql<Leg>`
    select distinct on (fixture.id) fixture.reference as "fixtureReference", selection.id as "selectionId", price.bookmaker_id as "bookmakerId", price.odds_thousandths as "oddsThousandths"
    from fixture join market on market.fixture_id = fixture.id join selection on selection.market_id = market.id join price on price.selection_id = selection.id
    where starts_at > now() + interval '6 hours' and market.kind = 'match-result' and market.period = 'full-time' and bookmaker_id = ${houseBookmakerId} order by fixture.id, selection.id, price.bookmaker_id limit ${limit}
  `.execute(database());
  return rows;
}

async function join(username: string, email: string, passwordHash: string, at: Date): Promise<number> {
  const accountId = await createAccount({ username, demo: false }, at);
  await sql`update account set email = ${email}, password_hash = ${passwordHash}, email_confirmed = true where id = ${accountId}`.execute(
    database(),
  );
  return accountId;
}

async function openShop(number: number, passwordHash: string, offers: readonly Leg[], at: Date): Promise<Owner> {
  const username = `singer-${number}`;
  const mark = markOf(number);
  const accountId = await join(username, `${mark}owner@example.org`, passwordHash, at);
  const viewerOf = (owns: readonly number[]) =>
    member({ accountId, role: Role.user, pro: false, owns, subscribes: [] });
  const { id, reference } = await createPortfolio(
    viewerOf([]),
    { name: `Singer ${number}`, visibility: PortfolioVisibility.premium },
    at,
  );
  const viewer = viewerOf([id]);
  // Nothing is for members where nobody can become one.
  const month = { period: 'month', onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: 900 }] } as const;
  await setPlans(
    viewer,
    reference,
    plansInputSchema.parse({ mainCurrencyId: CurrencyId.GBP, plans: [month] }),
    undefined,
    at,
  );
  const [first, second] = [offers[(2 * number) % offers.length], offers[(2 * number + 1) % offers.length]];
  if (!first || !second) throw new Error('No price is on offer to publish a tip at.');
  const input = {
    stakeHundredths: 100,
    idempotencyKey: 'members',
    legs: [first],
    free: false,
    analysis: `For members: ${mark}tip`,
  };
  const [membersTip, hiddenTip] = await publishPastTips([
    { viewer, portfolioReference: reference, at, input },
    {
      viewer,
      portfolioReference: reference,
      at,
      input: {
        ...input,
        idempotencyKey: 'hidden',
        legs: [second],
        free: true,
        hidden: true,
        analysis: `For nobody yet: ${mark}hidden`,
      },
    },
  ]);
  const post = await decidedAt(at, () =>
    publishPost(viewer, reference, {
      idempotencyKey: 'post',
      title: 'For members',
      body: `Between us: ${mark}post`,
      premiumOnly: true,
    }),
  );
  return {
    number,
    username,
    viewer,
    portfolio: reference,
    membersTip: membersTip?.reference ?? '',
    hiddenTip: hiddenTip?.reference ?? '',
    post: post.reference,
  };
}

/** Opens the accounts, portfolios and memberships of the canaries in a world that has prices on offer, by the commands that everybody uses. */
export async function openCanaries(offers: readonly Leg[], at: Date): Promise<CanaryWorld> {
  const passwordHash = await hashPassword(canaryPassword);
  const shops: Owner[] = [];
  for (let number = 0; number < owners; number += 1) shops.push(await openShop(number, passwordHash, offers, at));
  const joined = await Promise.all(
    Array.from({ length: members }, async (_, index) => {
      const number = owners + index;
      const bought = shops[index % owners];
      if (!bought) throw new Error('There is no portfolio to be a member of.');
      const username = `${markOf(number)}member`;
      const accountId = await join(username, `${username}@example.org`, passwordHash, at);
      await sql`
        insert into membership (account_id, portfolio_id, starts_at, ends_at)
        select ${accountId}, id, ${at}, ${new Date(at.getTime() + 86_400_000)} from portfolio where reference = ${bought.portfolio}
      `.execute(database());
      return { number, username, bought };
    }),
  );
  return { owners: shops, members: joined };
}
