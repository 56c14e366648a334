import { writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { createAccount, hashPassword } from '@/lib/accounts/commands';
import { importFixtures } from '@/lib/fixtures/commands';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { member } from '@/lib/http/viewer';
import { runFeeds } from '@/lib/jobs/run-feeds';
import { now as present } from '@/lib/platform/clock';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { openProgram } from '@/lib/program/program';
import { houseBookmakerId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { publishPastTips } from '@/lib/tips/commands';
import {
  announcedSeason,
  faultsOf,
  playedSeason,
  referenceOf,
  type SeasonMatch,
  seasonMatches,
} from './season-matches';
import { emailOf, people, sitePassword } from './site-people';
import { giveFactor } from './staff-factor';

/** What the season's test acts on: references of fixtures and tips, by what is wrong with them. */
export type SeasonSite = { fixtures: Record<Fault, string>; tips: Record<Tipped, string> };

type Fault = keyof ReturnType<typeof faultsOf>;
const tipped = ['postponed', 'abandoned', 'wronglyScored'] as const;
type Tipped = (typeof tipped)[number];

const homeOdds = 2100;
const day = 24 * 3_600_000;
const place = 'https://feed.example/season.csv';

/** Reads the feed at its place, where this file stands now, as its job does. */
async function feed(text: string, now: Date): Promise<void> {
  const failure = await runFeeds(now, { fetch: async () => new Response(text) });
  if (failure) throw new Error(`The feed did not enter: ${failure}`);
}

/** What the house book offered on the home wins of matches a month ago. */
async function quote(matches: readonly SeasonMatch[], now: Date): Promise<void> {
  const at = new Date(now.getTime() - 30 * day).toISOString();
  const { rows } = await sql<{ season: string; reference: string; name: string }>`
    select season, league.reference, league.name from fixture join league on league.id = league_id limit 1
  `.execute(database());
  const [known] = rows;
  if (!known) throw new Error('The season was not entered.');
  const fixtures = matches.map(
    ({ home, away, startsAt }): FeedFixture => ({
      ...{ sportReference: 'football', season: known.season, startsAt: startsAt.toISOString(), startTimeKnown: true },
      ...{ home, away, result: null },
      league: { reference: known.reference, name: known.name, countryIso2: null, territory: null, rank: 100 },
      markets: [
        {
          ...{ kind: 'match-result', lineHundredths: 0, period: 'full-time', includesOvertime: false },
          selections: [
            { key: 'home', name: home, odds: homeOdds },
            { key: 'draw', name: 'Draw', odds: 3100 },
            { key: 'away', name: away, odds: 3000 },
          ].map(({ odds, ...selection }) => ({
            ...selection,
            prices: [
              {
                bookmakerReference: 'tipledger-exchange',
                price: { oddsThousandths: odds, fraction: null },
                ...{ at, timeKnown: true, closing: false },
              },
            ],
          })),
        },
      ],
    }),
  );
  const { created, rejections } = await importFixtures(
    fixtures.map((fixture, index) => ({ line: index + 1, fixture })),
    'football-data',
    now,
  );
  if (created > 0 || rejections.length > 0)
    throw new Error(`Prices did not fit: ${JSON.stringify({ created, rejections })}`);
}

async function homeWinOf(reference: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select selection.id from fixture join market on fixture_id = fixture.id join selection on market_id = market.id
    where fixture.reference = ${reference} and kind = 'match-result' and key = 'home'
  `.execute(database());
  if (!rows[0]) throw new Error(`There is no ${reference}.`);
  return rows[0].id;
}

async function openStaff(now: Date): Promise<void> {
  const { username, role } = people.admin;
  const id = await createAccount({ username, demo: false }, now);
  await sql`
    update account set email = ${emailOf('admin')}, password_hash = ${await hashPassword(sitePassword)}, email_confirmed = true, role = ${role} where id = ${id}
  `.execute(database());
  await giveFactor(id, now);
}

/** Fills a database with a small season by its feed, tips on the matches that something is wrong with, and staff; writes their references to the file named. */
export async function main([file = '']: string[]): Promise<number> {
  const program = await openProgram((line) => process.stderr.write(`${line}\n`));
  try {
    const now = present();
    const matches = seasonMatches(now);
    const faults = faultsOf(matches);
    await sql`
      update feed_setting set enabled = true, every_minutes = 10080, places = ${[place]}::text[] where name = 'football-data'
    `.execute(database());
    await feed(announcedSeason(matches), new Date(now.getTime() - 8 * day));
    await quote(Object.values(faults), now);
    const accountId = await createAccount({ username: 'ann', demo: false }, new Date(now.getTime() - 40 * day));
    const viewerOf = (owns: readonly number[]) =>
      member({ accountId, role: Role.user, pro: false, owns, subscribes: [] });
    const portfolio = { name: 'Ann Football', visibility: PortfolioVisibility.public };
    const { id, reference } = await createPortfolio(viewerOf([]), portfolio, new Date(now.getTime() - 40 * day));
    const published = await publishPastTips(
      await Promise.all(
        tipped.map(async (fault) => ({
          viewer: viewerOf([id]),
          portfolioReference: reference,
          at: new Date(now.getTime() - 5 * day),
          input: {
            ...{ idempotencyKey: fault, stakeHundredths: 100, analysis: '', free: true, hidden: false },
            legs: [
              {
                fixtureReference: referenceOf(faults[fault]),
                selectionId: await homeWinOf(referenceOf(faults[fault])),
                bookmakerId: houseBookmakerId,
                oddsThousandths: homeOdds,
              },
            ],
          },
        })),
      ),
    );
    await openStaff(now);
    await feed(playedSeason(matches), now);
    const site: SeasonSite = {
      fixtures: Object.fromEntries(
        Object.entries(faults).map(([fault, match]) => [fault, referenceOf(match)]),
      ) as SeasonSite['fixtures'],
      tips: Object.fromEntries(
        tipped.map((fault, index) => [fault, published[index]?.reference ?? '']),
      ) as SeasonSite['tips'],
    };
    writeFileSync(file, JSON.stringify(site));
    return 0;
  } finally {
    await program.close();
  }
}
