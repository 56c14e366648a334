import { writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { createAccount, hashPassword } from '@/lib/accounts/commands';
import { openProgram } from '@/lib/program/program';
import { member } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import type { FeedFixture, FeedRace } from '@/lib/fixtures/schema';
import { forget } from '@/lib/platform/cache';
import { now as present } from '@/lib/platform/clock';
import { database, transact } from '@/lib/platform/database';
import { openEmbeddedPostgres } from '@/lib/platform/embedded-postgres';
import { env } from '@/lib/platform/env';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { setDatabaseClock, takeDatabaseClock } from '../../scripts/trials/database-clock';
import {
  addTipsFixtures,
  type AddTipsWorld,
  matchStartsInHours,
  movedFixture,
  playedFixtures,
  type TippedFixture,
  tippedFixtures,
  tippedNames,
} from './add-tips-world';
import { emailOf, people, type Person, sitePassword } from './site-people';
import { sellMonthly } from './members';
import { giveFactor } from './staff-factor';

const source = 'football-data';

async function take(fixtures: readonly (FeedFixture | FeedRace)[], now: Date): Promise<void> {
  const { rejections } = await importFixtures(
    fixtures.map((fixture, index) => ({ line: index + 1, fixture })),
    source,
    now,
  );
  if (rejections.length > 0) throw new Error(`The fixtures contradict themselves: ${JSON.stringify(rejections)}`);
}

const portfolios: Partial<Record<Person, { name: string; visibility: PortfolioVisibility }[]>> = {
  owner: [
    { name: 'Ann in the Open', visibility: PortfolioVisibility.public },
    { name: 'Ann for Members', visibility: PortfolioVisibility.premium },
  ],
  otherOwner: [{ name: 'Bob Publishes', visibility: PortfolioVisibility.public }],
};

async function letSignIn(now: Date): Promise<void> {
  const hash = await hashPassword(sitePassword);
  for (const person of Object.keys(people) as Person[]) {
    const { username, role } = people[person];
    const accountId = await createAccount({ username, demo: false }, now);
    await sql`update account set email = ${emailOf(person)}, password_hash = ${hash}, email_confirmed = true, role = ${role} where username = ${username}`.execute(
      database(),
    );
    if (role !== Role.user) await giveFactor(accountId, now);
    const viewer = member({ accountId, role: Role.user, pro: false, owns: [], subscribes: [] });
    for (const portfolio of portfolios[person] ?? []) {
      const { id } = await createPortfolio(viewer, portfolio, now);
      if (portfolio.visibility === PortfolioVisibility.premium) await sellMonthly(id, now);
    }
  }
}

async function readWorld(): Promise<AddTipsWorld> {
  const { rows } = await sql<{ name: string; reference: string }>`select name, reference from fixture`.execute(
    database(),
  );
  const found = tippedFixtures.map(
    (each) => [each, rows.find(({ name }) => name === tippedNames[each])?.reference ?? ''] as const,
  );
  if (found.some(([, reference]) => !reference)) throw new Error(`Fixtures are missing: ${JSON.stringify(found)}`);
  return Object.fromEntries(found) as AddTipsWorld;
}

async function move(bookmaker: string, odds: string, now: Date): Promise<void> {
  const { rows } = await sql<{
    startsAt: Date;
  }>`select starts_at as "startsAt" from fixture where name = ${tippedNames.moving}`.execute(database());
  await take(
    [movedFixture(now, rows[0]?.startsAt.toISOString() ?? '', bookmaker, odds === 'withdrawn' ? null : Number(odds))],
    now,
  );
}

async function play(now: Date): Promise<void> {
  const { rows } = await sql<{
    startsAt: Date;
  }>`select starts_at as "startsAt" from fixture where name = ${tippedNames.match}`.execute(database());
  const filledAt = (rows[0]?.startsAt.getTime() ?? 0) - matchStartsInHours * 3_600_000;
  await take(playedFixtures(new Date(filledAt)), now);
}

async function start(which: TippedFixture, now: Date): Promise<void> {
  await transact(async () => {
    const { rows } = await sql<{ reference: string }>`
      update fixture set starts_at = ${new Date(now.getTime() - 60_000)} where name = ${tippedNames[which]} returning reference
    `.execute(database());
    await forget(['fixtures', `fixture:${rows[0]?.reference}`]);
  });
}

async function withOwner(work: (ownerUrl: string) => Promise<void>): Promise<void> {
  const server = await openEmbeddedPostgres({
    dataFolder: env().dataFolder,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  try {
    await work(server.ownerUrl);
  } finally {
    await server.stop();
  }
}

async function withProgram(work: (now: Date) => Promise<void>): Promise<void> {
  const program = await openProgram((line) => process.stderr.write(`${line}\n`));
  try {
    await work(present());
  } finally {
    await program.close();
  }
}

/**
 * Fills a site to add tips on and writes where its fixtures are (`fill <file>`); puts its clock ahead (`ahead <seconds>`); moves a price of one
 * (`move <bookmaker> <odds in thousandths|withdrawn>`), starts one (`start <fixture>`), or brings the results that a feed has at a moment (`play <moment>`).
 */
export async function main([action = '', first = '', second = '']: string[]): Promise<number> {
  if (action === 'ahead') await withOwner((ownerUrl) => setDatabaseClock(ownerUrl, Number(first)));
  else if (action === 'move') await withProgram((now) => move(first, second, now));
  else if (action === 'start') await withProgram((now) => start(first as TippedFixture, now));
  else if (action === 'play') await withProgram(() => play(new Date(first)));
  else {
    await withProgram(async (now) => {
      await take(Object.values(addTipsFixtures(now)), now);
      await letSignIn(now);
      writeFileSync(first, JSON.stringify(await readWorld()));
    });
    await withOwner(takeDatabaseClock);
  }
  return 0;
}
