import { sql } from 'kysely';
import { createAccount } from '@/lib/accounts/commands';
import { randomFrom } from '@/lib/feeds/demo/random';
import { tipstersOf } from './tipsters';
import { daysAfter } from '@/lib/fixtures/rules';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { member } from '@/lib/http/viewer';
import type { Publisher } from './publish';

const followerCount = 160;

const viewerOf = (accountId: number, owns: readonly number[]) =>
  member({ accountId, role: Role.user, pro: false, owns, subscribes: [] });

/** Opens the accounts and portfolios of the tipsters at the beginning of the demo world. */
export async function openPortfolios(seed: string, count: number, at: Date): Promise<void> {
  for (const { username, name, description, visibility, stakeHundredths } of tipstersOf(seed).slice(0, count)) {
    const accountId = await createAccount({ username, demo: true }, at);
    await createPortfolio(
      viewerOf(accountId, []),
      { name, description, visibility, defaultTipStakeHundredths: stakeHundredths },
      at,
    );
  }
}

/** Who publishes for each tipster, by the tipster's name. */
export async function readPublishers(): Promise<Map<string, Publisher>> {
  const { rows } = await sql<{ id: number; reference: string; name: string; accountId: number }>`
    select portfolio.id, portfolio.reference, name, owner_id as "accountId" from portfolio join account on account.id = owner_id where account.demo and abandoned_at is null
  `.execute(database());
  return new Map(
    rows.map(({ id, reference, name, accountId }) => [
      name,
      { viewer: viewerOf(accountId, [id]), portfolioReference: reference },
    ]),
  );
}

/** Gives the tipsters followers, who come over the years, and the premium ones members, more of both where there is skill. */
export async function gatherFollowers(seed: string, from: Date, now: Date): Promise<void> {
  const tipsters = new Map(tipstersOf(seed).map((tipster) => [tipster.name, tipster]));
  const { rows } = await sql<{
    id: number;
    name: string;
  }>`select portfolio.id, name from portfolio where demo order by id`.execute(database());
  const accounts = await sql<{ id: number }>`
    insert into account (username, demo, created_at) select 'follower-' || number, true, ${from} from generate_series(1, ${followerCount}::int) number returning id
  `.execute(database());
  const span = now.getTime() - from.getTime();
  const follows = rows.flatMap(({ id, name }) => {
    const tipster = tipsters.get(name);
    if (!tipster || tipster.visibility === PortfolioVisibility.personal) return [];
    const random = randomFrom(seed, name, 'followers');
    const share =
      (0.04 + 0.4 * tipster.skill * random.next()) * (tipster.visibility === PortfolioVisibility.hidden ? 0.1 : 1);
    return accounts.rows
      .filter(() => random.chance(share))
      .map((account) => ({
        accountId: account.id,
        portfolioId: id,
        stake: random.pick([100, 200, 500, 1000]),
        at: new Date(from.getTime() + span * random.next()),
        member: tipster.visibility === PortfolioVisibility.premium && random.chance(0.3),
      }));
  });
  await sql`
    insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at)
    select * from unnest(${follows.map(({ accountId }) => accountId)}::int[], ${follows.map(({ portfolioId }) => portfolioId)}::int[],
      ${follows.map(({ stake }) => stake)}::int[], ${follows.map(({ at }) => at)}::timestamptz[])
  `.execute(database());
  const members = follows.filter((follow) => follow.member);
  await sql`
    insert into membership (account_id, portfolio_id, starts_at, ends_at)
    select * from unnest(${members.map(({ accountId }) => accountId)}::int[], ${members.map(({ portfolioId }) => portfolioId)}::int[],
      ${members.map(({ at }) => at)}::timestamptz[], ${members.map(({ at }) => daysAfter(at, 92))}::timestamptz[])
  `.execute(database());
}
