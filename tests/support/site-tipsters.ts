import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { createAccount, hashPassword } from '@/lib/accounts/commands';
import { openProgram } from '@/lib/program/program';
import { member } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { openCommitments, signLedger } from '@/lib/record/commands';
import { PortfolioVisibility, houseBookmakerId, Role } from '@/lib/reference/schema';
import { settleDueTips } from '@/lib/settlement/commands';
import { type PastTip, publishPastTips } from '@/lib/tips/commands';
import { matches, quotedMatches } from './site-matches';
import { emailOf, people, type Person, sitePassword } from './site-people';
import { sellMonthly } from './members';
import { publishPost } from './moments';
import { giveFactor } from './staff-factor';
import {
  portfolios,
  posts,
  type Published,
  type SitePortfolio,
  type SitePost,
  type SitePosts,
  type SiteTip,
  type SiteTips,
  tips,
} from './site-tips';

const hourMilliseconds = 3_600_000;
const oddsThousandths = { home: 2100, draw: 3100, away: 3000 } as const;
const quotedHoursAgo = 120;

type StoredMatch = Pick<FeedFixture, 'season' | 'startsAt'> & {
  reference: string;
  league: string;
  leagueName: string;
  selectionIds: Record<string, number>;
};

async function readMatch({ home, away }: { home: string; away: string }): Promise<StoredMatch> {
  const { rows } = await sql<Omit<StoredMatch, 'startsAt'> & { startsAt: Date }>`
    select fixture.reference, season, starts_at as "startsAt", league.reference as league, league.name as "leagueName",
      coalesce((select jsonb_object_agg(selection.key, selection.id) from market join selection on market_id = market.id
        where fixture_id = fixture.id and kind = 'match-result' and period = 'full-time'), '{}') as "selectionIds"
    from fixture join league on league.id = league_id where fixture.name = ${`${home} v ${away}`}
  `.execute(database());
  const [row] = rows;
  if (!row || rows.length > 1)
    throw new Error(`There should be one match ${home} v ${away}, not ${rows.length}; site-matches.ts makes them.`);
  return { ...row, startsAt: row.startsAt.toISOString() };
}

/** The matches as the files have them, with what the house book offered days ago: files do not tell when a price was given. */
async function quoteMatches(now: Date): Promise<void> {
  const at = new Date(now.getTime() - quotedHoursAgo * hourMilliseconds).toISOString();
  const fixtures = await Promise.all(
    Object.values(quotedMatches).map(async ({ home, away }): Promise<FeedFixture> => {
      const { season, startsAt, league, leagueName } = await readMatch({ home, away });
      const selections = (['home', 'draw', 'away'] as const).map((key) => ({
        key,
        name: { home, draw: 'Draw', away }[key],
        prices: [
          {
            bookmakerReference: 'tipledger-exchange',
            price: { oddsThousandths: oddsThousandths[key], fraction: null },
            at,
            timeKnown: true,
            closing: false,
          },
        ],
      }));
      return {
        ...{ sportReference: 'football', season, startsAt, startTimeKnown: true, home, away, result: null },
        league: { reference: league, name: leagueName, countryIso2: null, territory: null, rank: 100 },
        markets: [
          { kind: 'match-result', lineHundredths: 0, period: 'full-time', includesOvertime: false, selections },
        ],
      };
    }),
  );
  const { rejections, created } = await importFixtures(
    fixtures.map((fixture, index) => ({ line: index + 1, fixture })),
    'football-data',
    now,
  );
  if (rejections.length > 0 || created > 0)
    throw new Error(`The prices of the house book did not fit the matches: ${JSON.stringify({ created, rejections })}`);
}

async function openPortfolios(at: Date): Promise<Record<SitePortfolio, Viewer>> {
  const opened = await Promise.all(
    Object.entries(portfolios).map(async ([kind, { owner, name, visibility, reference }]) => {
      const accountId = await createAccount({ username: owner, demo: false }, at);
      const viewerOf = (owns: readonly number[]) =>
        member({ accountId, role: Role.user, pro: false, owns, subscribes: [] });
      const made = await createPortfolio(
        viewerOf([]),
        { name, visibility, description: `${name}: one account, one stake a tip.` },
        at,
      );
      if (visibility === PortfolioVisibility.premium) await sellMonthly(made.id, at);
      if (made.reference !== reference) throw new Error(`${name} is called ${made.reference}, not ${reference}.`);
      return [kind, viewerOf([made.id])] as const;
    }),
  );
  return Object.fromEntries(opened) as Record<SitePortfolio, Viewer>;
}

/** Gives everybody who can sign in an account, where a portfolio has not given them one, with a confirmed address and the site's password. */
async function letSignIn(at: Date): Promise<void> {
  const hash = await hashPassword(sitePassword);
  const tipsters: readonly string[] = Object.values(portfolios).map(({ owner }) => owner);
  for (const person of Object.keys(people) as Person[]) {
    const { username, role } = people[person];
    if (!tipsters.includes(username)) await createAccount({ username, demo: false }, at);
    const { rows } = await sql<{ id: number }>`
      update account set email = ${emailOf(person)}, password_hash = ${hash}, email_confirmed = true, role = ${role} where username = ${username} returning id
    `.execute(database());
    if (role !== 0 && rows[0]) await giveFactor(rows[0].id, at);
  }
}

async function publishAllTips(owners: Record<SitePortfolio, Viewer>, now: Date): Promise<SiteTips> {
  const stored = Object.fromEntries(
    await Promise.all(
      Object.entries(quotedMatches).map(async ([name, match]) => [name, await readMatch(match)] as const),
    ),
  );
  const submissions = Object.entries<SiteTip>(tips).map(
    ([name, { portfolio, legs, hoursAgo, stakeHundredths, analysis = '', free = true, hidden = false }]): PastTip => ({
      viewer: owners[portfolio],
      portfolioReference: portfolios[portfolio].reference,
      at: new Date(now.getTime() - hoursAgo * hourMilliseconds),
      input: {
        ...{ idempotencyKey: name, stakeHundredths, analysis, free, hidden },
        legs: legs.map(({ match, key }) => ({
          fixtureReference: stored[match]?.reference ?? '',
          selectionId: stored[match]?.selectionIds[key] ?? 0,
          bookmakerId: houseBookmakerId,
          oddsThousandths: oddsThousandths[key],
        })),
      },
    }),
  );
  const published = await publishPastTips(submissions);
  return Object.fromEntries(
    Object.keys(tips).map((name, index) => [name, published[index]?.reference ?? '']),
  ) as SiteTips;
}

async function publishAllPosts(
  owners: Record<SitePortfolio, Viewer>,
  references: SiteTips,
  now: Date,
): Promise<SitePosts> {
  const published = {} as SitePosts;
  for (const [name, post] of Object.entries<SitePost>(posts) as [keyof SitePosts, SitePost][]) {
    const { portfolio, title, body, hoursAgo, tips: held = [], premiumOnly = false } = post;
    const at = new Date(now.getTime() - hoursAgo * hourMilliseconds);
    const input = { idempotencyKey: name, title, body, premiumOnly, tips: held.map((tip) => references[tip]) };
    const { reference } = await publishPost(owners[portfolio], portfolios[portfolio].reference, input, at);
    published[name] = reference;
  }
  return published;
}

const tipsToSettle = 4;
const settledWithinMilliseconds = 15_000;

/** Settles the tips on what was played; where instances run on the database, one of them may have claimed some. */
async function settleAll(now: Date): Promise<void> {
  const until = performance.now() + settledWithinMilliseconds;
  for (;;) {
    await settleDueTips(now);
    const { rows } = await sql<{
      count: number;
    }>`select count(distinct tip_id)::int as count from tip_settlement`.execute(database());
    const settled = rows[0]?.count ?? 0;
    if (settled === tipsToSettle) return;
    if (settled > tipsToSettle || performance.now() > until)
      throw new Error(
        `Four tips on ${matches.played.home} v ${matches.played.away} should be settled, not ${settled}.`,
      );
    await sleep(100);
  }
}

/** Fills the site's database with tipsters by the commands that everybody uses, and writes the references of what they published to the file named. */
export async function main([file = '']: string[]): Promise<number> {
  const program = await openProgram((line) => process.stderr.write(`${line}\n`));
  try {
    const now = present();
    await quoteMatches(now);
    const owners = await openPortfolios(new Date(now.getTime() - quotedHoursAgo * hourMilliseconds));
    await letSignIn(now);
    const references = await publishAllTips(owners, now);
    const published: Published = { tips: references, posts: await publishAllPosts(owners, references, now) };
    await openCommitments();
    await settleAll(now);
    await signLedger();
    writeFileSync(file, JSON.stringify(published));
    return 0;
  } finally {
    await program.close();
  }
}
