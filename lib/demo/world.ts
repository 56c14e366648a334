import { sql } from 'kysely';
import { type Candidate, candidatesAt, choose } from './choices';
import { dayAfter, type DemoEvent, eventsOn, pastEventsOn } from '@/lib/feeds/demo/events';
import { daysAhead, marketsBetween, pastMarkets } from '@/lib/feeds/demo/prices';
import { type Round, roundsBefore } from './rounds';
import { tipstersOf } from './tipsters';
import { closeMarkets } from '@/lib/fixtures/commands';
import { daysAfter } from '@/lib/fixtures/rules';
import type { FeedMarket } from '@/lib/fixtures/schema';
import { database, transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { openCommitments, signLedger } from '@/lib/record/commands';
import { isBookmakerVisible } from '@/lib/odds/rules';
import { bundledBookmakers, defaultCountry, furtherBookmakers } from '@/lib/reference/schema';
import { settleDueTips } from '@/lib/settlement/commands';
import { computeDueStandings } from '@/lib/stats/commands';
import { importDay, importDemo, recordDueResults } from './feed';
import { gatherFollowers, openPortfolios, readPublishers } from './people';
import { openDemoSales } from './sales';
import { planTrade } from './trade';
import { publishDemoPosts } from './posts';
import { publishChoices, type Publisher } from './publish';

/** How large the demo world is: days of history, events of a past day, tipsters, and days to come. */
export type Scale = { pastDays: number; pastEventsADay: number; tipsters: number; daysAhead: number };

/** Product §4: two years back, 14 days ahead, 60 tipsters. */
export const fullScale: Scale = { pastDays: 730, pastEventsADay: 5, tipsters: 60, daysAhead };

/** The scales that an operator can choose. */
export const demoScales = {
  on: fullScale,
  small: { pastDays: 30, pastEventsADay: 5, tipsters: 12, daysAhead: 3 },
} as const satisfies Record<string, Scale>;

type World = { seed: string; scale: Scale; beganAt: Date; roundsMade: number; finished: boolean };

const seed = 'tipledger';
const settleBatch = 500;

const takes = new Set(
  [...bundledBookmakers, ...furtherBookmakers]
    .filter((bookmaker) => isBookmakerVisible(bookmaker, defaultCountry.id, 'addTips'))
    .map(({ reference }) => reference),
);

async function readWorld(): Promise<World | null> {
  const { rows } =
    await sql<World>`select seed, scale, began_at as "beganAt", rounds_made as "roundsMade", finished_at is not null as finished from demo_world`.execute(
      database(),
    );
  return rows[0] ?? null;
}

async function beginWorld(now: Date, scale: Scale): Promise<World | null> {
  return transact(async () => {
    const { rows } = await sql`select 1 from fixture limit 1`.execute(database());
    if (rows.length > 0) return null;
    // Another instance that has begun it meanwhile is waited for here, until it has opened its portfolios.
    await sql`set local lock_timeout = '60s'`.execute(database());
    const { numAffectedRows } =
      await sql`insert into demo_world (seed, scale, began_at) values (${seed}, ${JSON.stringify(scale)}, ${now}) on conflict do nothing`.execute(
        database(),
      );
    if (numAffectedRows === 0n) return readWorld();
    const opensAt = daysAfter(now, -scale.pastDays - 7);
    await openPortfolios(seed, scale.tipsters, opensAt);
    await decidedAt(opensAt, () => openDemoSales(seed, opensAt));
    return readWorld();
  });
}

const waitMilliseconds = 300;

/**
 * Does one step of the filling while no other instance does one: each is a transaction that holds the row of the world, so an instance that dies
 * lets the next one go on. Does nothing when `isDone` by then. Tells once when it has to wait.
 */
async function step(isDone: (world: World) => boolean, body: () => Promise<void>, onWait: () => void): Promise<void> {
  for (;;) {
    const outcome = await transact(async () => {
      const { rows } = await sql`select 1 from demo_world for update skip locked`.execute(database());
      if (rows.length === 0) return 'held';
      const world = await readWorld();
      if (world && !isDone(world)) await body();
      return 'done';
    });
    if (outcome === 'done') return;
    onWait();
    await new Promise((resolve) => setTimeout(resolve, waitMilliseconds));
  }
}

/**
 * Product §4: fills a database without fixtures with the demo world, by the commands that people and feeds use, in the order of time; what
 * was broken off is taken up where it stood, at the scale at which it was begun, each round being one transaction. Instances that start at once
 * share the work, one at a time. Does nothing to another database. Says how far it is.
 */
export async function fillDemoWorld(now: Date, say: (line: string) => void, asked: Scale = fullScale): Promise<void> {
  const world = (await readWorld()) ?? (await beginWorld(now, asked));
  if (!world || world.finished) return;
  const { scale } = world;
  const publishers = await readPublishers();
  const rounds = roundsBefore(world.beganAt, scale.pastDays);
  const weeks = await planTrade(world.seed, scale.pastDays, world.beganAt);
  const last = rounds.at(-1);
  const days = daysFrom(
    last ? dayAfter(new Date(last.days.at(-1) ?? ''), 1) : dayAfter(world.beganAt, 0),
    dayAfter(world.beganAt, scale.daysAhead),
  );
  const progress = tellProgress(say, rounds.length + days.length + weeks.length);
  let isTold = false;
  const onWait = () => {
    if (!isTold) say('Another instance is making the demo world: waiting for it…');
    isTold = true;
  };
  for (const [index, round] of rounds.entries()) {
    progress(index);
    if (index >= world.roundsMade)
      await step(
        ({ roundsMade }) => index < roundsMade,
        () => playRound(world.seed, round, index, scale, publishers),
        onWait,
      );
  }
  for (const [index, day] of days.entries()) {
    progress(rounds.length + index);
    await step(
      ({ finished }) => finished,
      () => importDay(world.seed, day, world.beganAt),
      onWait,
    );
  }
  for (const [week, play] of weeks.entries()) {
    const index = rounds.length + week;
    progress(index + days.length);
    if (index >= world.roundsMade)
      await step(
        ({ roundsMade }) => index < roundsMade,
        async () => {
          await play();
          await countRound(index);
        },
        onWait,
      );
  }
  await step(
    ({ finished }) => finished,
    () => finishWorld(world, last?.settlesAt ?? world.beganAt, publishers),
    onWait,
  );
  // Only now: checks of foreign keys that are planned while a table is known to be small go on reading all of it. The owner may, no other role.
  await sql`analyze`.execute(database());
  say('The demo world is made.');
}

/** What is to be said where the demo world was begun and is not to be finished; null otherwise. */
export async function whyDemoIsUnfinished(): Promise<string | null> {
  const world = await readWorld();
  if (!world || world.finished) return null;
  return 'This database holds a part of the demo world, which was broken off. Start without TIPLEDGER_DEMO=off to finish it, or use another TIPLEDGER_DATA or DATABASE_URL for a site of your own.';
}

function tellProgress(say: (line: string) => void, steps: number): (step: number) => void {
  let told = -1;
  return (step) => {
    const percent = Math.floor((100 * step) / steps);
    if (Math.floor(percent / 5) === told) return;
    told = Math.floor(percent / 5);
    say(`Making the demo world: ${percent} %…`);
  };
}

async function playRound(
  worldSeed: string,
  round: Round,
  index: number,
  scale: Scale,
  publishers: ReadonlyMap<string, Publisher>,
): Promise<void> {
  const events = round.days.flatMap((day) => pastEventsOn(worldSeed, day, scale.pastEventsADay));
  const quoted = events.map((event) => ({ event, markets: pastMarkets(worldSeed, event) }));
  await importDemo(
    quoted.map(({ event, markets }) => event.fixture(markets, false)),
    round.opensAt,
  );
  await publishRound(worldSeed, quoted, round.tipMoments, round.days[0] ?? '', scale, publishers);
  while ((await closeMarkets(round.settlesAt)) > 0);
  await recordDueResults(worldSeed, round.settlesAt);
  await decidedAt(round.settlesAt, async () => {
    while ((await openCommitments()) > 0);
    await settleDueTips(round.settlesAt, { batchSize: settleBatch, standings: false });
    if (round.endsWeek) await signLedger();
  });
  await countRound(index);
}

async function countRound(index: number): Promise<void> {
  await sql`update demo_world set rounds_made = ${index + 1}`.execute(database());
}

type QuotedEvent = { event: DemoEvent; markets: FeedMarket[] };

async function publishRound(
  worldSeed: string,
  quoted: readonly QuotedEvent[],
  moments: readonly Date[],
  name: string,
  scale: Scale,
  publishers: ReadonlyMap<string, Publisher>,
): Promise<void> {
  const candidates = moments.map((at): Candidate[] =>
    quoted.flatMap(({ event, markets }) => candidatesAt(event, markets, at, takes)),
  );
  const choices = tipstersOf(worldSeed)
    .slice(0, scale.tipsters)
    .flatMap((tipster, index) => {
      const place = index % moments.length;
      const at = moments[place];
      return at ? choose(tipster, candidates[place] ?? [], at, worldSeed, name) : [];
    });
  await publishChoices(choices, publishers, name);
}

function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayAfter(new Date(day), 1)) days.push(day);
  return days;
}

async function finishWorld(
  { seed: worldSeed, scale, beganAt: now }: World,
  settledAt: Date,
  publishers: ReadonlyMap<string, Publisher>,
): Promise<void> {
  await recordDueResults(worldSeed, now);
  while ((await closeMarkets(now)) > 0);
  const coming = [0, 1, 2, 3, 4]
    .flatMap((days) => eventsOn(worldSeed, dayAfter(now, days)))
    .filter(({ startsAt }) => startsAt > now);
  const moments = [6, 4, 2, 1].map(
    (hours) => new Date(Math.max(settledAt.getTime(), now.getTime() - hours * 3_600_000)),
  );
  await publishRound(
    worldSeed,
    coming.map((event) => ({ event, markets: marketsBetween(worldSeed, event, new Date(0), now) })),
    moments,
    'coming',
    scale,
    publishers,
  );
  await decidedAt(now, async () => {
    while ((await openCommitments()) > 0);
    while ((await settleDueTips(now, { batchSize: settleBatch, standings: false })) > 0);
  });
  await publishDemoPosts(worldSeed, publishers, now);
  await gatherFollowers(worldSeed, daysAfter(now, -scale.pastDays), now);
  await computeDueStandings(now);
  await decidedAt(now, signLedger);
  await sql`update demo_world set fed_until = ${now}, days_until = ${dayAfter(now, scale.daysAhead + 1)}::date, finished_at = ${now}`.execute(
    database(),
  );
}
