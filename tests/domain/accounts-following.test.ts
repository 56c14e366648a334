import { sql } from 'kysely';
import { changeFollowStake, changeSettings, followPortfolio, unfollowPortfolio } from '@/lib/accounts/commands';
import { listFollowing, listWatchlist } from '@/lib/accounts/queries';
import { stopMails } from '@/lib/notifications/commands';
import { getMailLink } from '@/lib/notifications/queries';
import { guest, member } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { getPortfolio, listManagedPortfolios } from '@/lib/portfolios/queries';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join, openShop } from '../support/members';
import { worldNow } from '../support/world';

onTestDatabase();

const day = 86_400_000;
const kindOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isFailure(error) ? error.kind : String(error)),
  );

async function countsOf(reference: string): Promise<{ kept: number; counted: number; shown: number }> {
  const { rows } = await sql<{ kept: number; counted: number }>`
    select coalesce((select followers from portfolio_followers where portfolio_id = portfolio.id), 0) as kept,
      (select count(*)::int from follow where portfolio_id = portfolio.id) as counted
    from portfolio where reference = ${reference}
  `.execute(database());
  return { ...(rows[0] ?? { kept: -1, counted: -1 }), shown: (await getPortfolio(guest(), reference)).followers };
}

let ann: Awaited<ReturnType<typeof openShop>>;
let bob: Awaited<ReturnType<typeof join>>;

beforeAll(async () => {
  ann = await openShop('ann', { name: 'Ann Football', visibility: PortfolioVisibility.premium }, worldNow);
  await openShop('eve', { name: 'Eve alone', visibility: PortfolioVisibility.personal }, worldNow);
  bob = await join('bob', worldNow);
});

describe('following', () => {
  test('adds an entry with the default max stake, counts it at once, and twice is once', async () => {
    expect(await followPortfolio(bob, 'ann-football', undefined, worldNow)).toEqual({
      portfolioReference: 'ann-football',
      maxStake: 10,
    });
    expect(await followPortfolio(bob, 'ann-football', 3, worldNow)).toEqual({
      portfolioReference: 'ann-football',
      maxStake: 10,
    });
    expect(await countsOf('ann-football')).toEqual({ kept: 1, counted: 1, shown: 1 });
    expect(await listFollowing(bob)).toEqual([{ portfolioReference: 'ann-football', maxStake: 10 }]);
    expect(await listWatchlist(bob)).toEqual([
      { portfolioReference: 'ann-football', maxStake: 10, name: 'Ann Football', demo: false, abandoned: false },
    ]);
  });

  test('takes the max stake that is given, then changed, and the member’s own default where none is', async () => {
    const cat = await join('cat', worldNow);
    expect(await followPortfolio(cat, 'ann-football', 2.5, worldNow)).toMatchObject({ maxStake: 2.5 });
    expect(await changeFollowStake(cat, 'ann-football', 0.01, worldNow)).toMatchObject({ maxStake: 0.01 });
    await unfollowPortfolio(cat, 'ann-football', worldNow);
    await changeSettings(cat, { maxStake: 7 }, worldNow);
    expect(await followPortfolio(cat, 'ann-football', undefined, worldNow)).toMatchObject({ maxStake: 7 });
    await unfollowPortfolio(cat, 'ann-football', worldNow);
  });

  test('ends, and ending it again does nothing', async () => {
    const dan = await join('dan', worldNow);
    await followPortfolio(dan, 'ann-football', undefined, worldNow);
    const before = (await countsOf('ann-football')).counted;
    await unfollowPortfolio(dan, 'ann-football', worldNow);
    await unfollowPortfolio(dan, 'ann-football', worldNow);
    await unfollowPortfolio(dan, 'nobody', worldNow);
    expect(await countsOf('ann-football')).toEqual({ kept: before - 1, counted: before - 1, shown: before - 1 });
    expect(await kindOf(changeFollowStake(dan, 'ann-football', 1, worldNow))).toBe('missing');
  });

  test('is refused to a guest, of what cannot be seen, of one’s own and of what was abandoned', async () => {
    expect(await kindOf(followPortfolio(guest(), 'ann-football', undefined, worldNow))).toBe('unauthorised');
    expect(await kindOf(followPortfolio(bob, 'eve-alone', undefined, worldNow))).toBe('missing');
    expect(await kindOf(followPortfolio(bob, 'nobody', undefined, worldNow))).toBe('missing');
    expect(await kindOf(followPortfolio(ann.owner, 'ann-football', undefined, worldNow))).toBe('conflict');
    const old = await openShop('old', { name: 'Old hand' }, worldNow);
    await sql`update portfolio set abandoned_at = ${worldNow} where id = ${old.id}`.execute(database());
    expect(await kindOf(followPortfolio(bob, 'old-hand', undefined, worldNow))).toBe('conflict');
  });

  test('by many at once keeps the count right', async () => {
    const fans = await Promise.all(Array.from({ length: 12 }, (_, fan) => join(`fan-${fan}`, worldNow)));
    await Promise.all(
      fans.flatMap((fan) => [
        followPortfolio(fan, 'ann-football', undefined, worldNow),
        followPortfolio(fan, 'ann-football', 1, worldNow),
      ]),
    );
    await Promise.all(fans.slice(0, 5).map((fan) => unfollowPortfolio(fan, 'ann-football', worldNow)));
    const { kept, counted, shown } = await countsOf('ann-football');
    expect([kept, shown, counted]).toEqual([8, 8, 8]);
  });
});

describe('the mails of a follow', () => {
  const guidOf = async (accountId: number) =>
    (
      await sql<{ guid: string }>`select unsubscribe_guid as guid from follow where account_id = ${accountId}`.execute(
        database(),
      )
    ).rows[0]?.guid ?? '';

  test('stop by the guid of their link, each kind by itself, and again does no harm', async () => {
    const guid = await guidOf(bob.accountId);
    expect(await getMailLink(guid, worldNow)).toMatchObject({
      portfolio: { reference: 'ann-football', name: 'Ann Football' },
      tip: true,
      post: true,
    });
    expect(await stopMails('ann-football', 'tips', guid, worldNow)).toEqual({
      portfolioReference: 'ann-football',
      tips: false,
      posts: true,
    });
    expect(await stopMails('ann-football', 'tips', guid, worldNow)).toEqual({
      portfolioReference: 'ann-football',
      tips: false,
      posts: true,
    });
    expect(await stopMails('ann-football', 'posts', guid, worldNow)).toEqual({
      portfolioReference: 'ann-football',
      tips: false,
      posts: false,
    });
  });

  test('do not stop by a guid of another portfolio, or an unknown one', async () => {
    const zoe = await join('zoe', worldNow);
    await followPortfolio(zoe, 'ann-football', undefined, worldNow);
    const guid = await guidOf(zoe.accountId);
    expect(await kindOf(stopMails('eve-alone', 'tips', guid, worldNow))).toBe('missing');
    expect(await kindOf(stopMails('ann-football', 'tips', '00000000-0000-4000-8000-000000000000', worldNow))).toBe(
      'missing',
    );
    expect(await kindOf(getMailLink('nothing', worldNow))).toBe('missing');
  });
});

describe('the managed portfolios', () => {
  test('carry what the owner is told: followers and members, of the week too, and those that leave', async () => {
    const shop = await openShop(
      'meg',
      {
        name: 'Meg Racing',
        visibility: PortfolioVisibility.premium,
        welcomeMessage: 'Welcome.',
        defaultTipStakeHundredths: 150,
      },
      worldNow,
    );
    const { accountId } = shop.owner as { accountId: number };
    const at = (days: number) => new Date(worldNow.getTime() + days * day);
    for (const [name, since] of [
      ['new', -1],
      ['older', -30],
    ] as const)
      await followPortfolio(await join(name, worldNow), 'meg-racing', undefined, at(since));
    const terms = [
      [-3, 27],
      [-27, 3],
      [-60, 60],
      [-60, -30],
      [5, 35],
    ] as const;
    for (const [index, [from, until]] of terms.entries()) {
      const subscriber = await join(`subscriber-${index}`, worldNow);
      await sql`insert into membership (account_id, portfolio_id, starts_at, ends_at) values (${subscriber.accountId}, ${shop.id}, ${at(from)}, ${at(until)})`.execute(
        database(),
      );
    }
    await sql`insert into portfolio_sale (portfolio_id, main_currency_id, changed_at) values (${shop.id}, 1, ${worldNow})`.execute(
      database(),
    );
    await sql`
      insert into payout (reference, owner_id, portfolio_id, currency_id, amount_minor, provider, status, created_at, changed_at)
      select repeat(number::text, 20), owner_id, portfolio.id, main_currency_id, 2000000000, 'sandbox', 'paid', ${worldNow}, ${worldNow}
      from portfolio join portfolio_sale on portfolio_id = portfolio.id cross join generate_series(1, 2) number where portfolio.id = ${shop.id}
    `.execute(database());
    const [managed, ...others] = await listManagedPortfolios(shop.owner, worldNow);
    expect(others).toEqual([]);
    expect(managed).toEqual({
      reference: 'meg-racing',
      id: shop.id,
      name: 'Meg Racing',
      picture: null,
      type: PortfolioVisibility.premium,
      followers: 2,
      followersThisWeek: 1,
      premiumMembers: 3,
      premiumMembersThisWeek: 1,
      premiumMembersExpiringThisWeek: 1,
      welcomeMessage: 'Welcome.',
      premiumWelcomeMessage: '',
      defaultTipStake: 1.5,
      // More than an integer of the database holds.
      totalPayout: 4_000_000_000,
      couponId: null,
      tipledgerPro: false,
      sells: true,
      description: '',
      demo: false,
    });
    expect(
      await listManagedPortfolios(
        member({ accountId: accountId + 1000, role: Role.user, pro: false, owns: [], subscribes: [] }),
        worldNow,
      ),
    ).toEqual([]);
    expect(await kindOf(listManagedPortfolios(guest(), worldNow))).toBe('unauthorised');
  });
});
