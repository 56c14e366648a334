import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { footballData } from '@/lib/feeds/football-data';
import { importFixtures } from '@/lib/fixtures/commands';
import { database } from '@/lib/platform/database';
import { TimeRange } from '@/lib/reference/schema';
import { getBreakdown, getStatistics } from '@/lib/stats/queries';
import { type PastTip, publishPastTips } from '@/lib/tips/commands';
import { onTestDatabase } from '../support/database';
import { openShop } from '../support/members';
import { settleDueTips } from '../support/moments';

onTestDatabase();

// Too large for the project: the tests are skipped where the file is not.
const season = path.resolve(process.cwd(), '../shared/data/E0_2526.csv');
const describeIfPresent = existsSync(season) ? describe : describe.skip;

const opened = new Date('2025-08-01T12:00:00.000Z');
const now = new Date('2026-05-31T12:00:00.000Z');

type Bet = { kind: string; key: string };
type Offer = {
  fixtureReference: string;
  startsAt: Date;
  selectionId: number;
  bookmakerId: number;
  oddsThousandths: number;
};

async function importSeason(): Promise<void> {
  const fixtures = [
    ...footballData.read({ name: path.basename(season), bytes: readFileSync(season), readAt: now }),
  ].flatMap((item) => (item.kind === 'fixture' ? [item] : []));
  for (let index = 0; index < fixtures.length; index += 20)
    await importFixtures(fixtures.slice(index, index + 20), footballData.name, now);
}

/** The selection of every match of the season and bet365's price of it before the match, in the order of the file. */
async function offersOf({ kind, key }: Bet): Promise<Offer[]> {
  const { rows } = await sql<Offer>`
    select fixture.reference as "fixtureReference", fixture.starts_at as "startsAt", selection.id as "selectionId", bookmaker.id as "bookmakerId", change.odds_thousandths as "oddsThousandths"
    from fixture join league on league.id = fixture.league_id join market on market.fixture_id = fixture.id join selection on selection.market_id = market.id
    join price_change change on change.selection_id = selection.id and change.at < fixture.starts_at join bookmaker on bookmaker.id = change.bookmaker_id
    where league.reference = 'england-premier-league' and market.kind = ${kind} and selection.key = ${key} and bookmaker.reference = 'bet365'
    order by fixture.id
  `.execute(database());
  return rows;
}

/** Backing the selection in every match an hour before its start, at one unit, in a portfolio of its own. */
async function tipsOnEvery(name: string, bet: Bet): Promise<{ reference: string; tips: PastTip[] }> {
  const { owner, reference } = await openShop(name, { name: `Every ${name}` }, opened);
  const tips = (await offersOf(bet)).map(
    ({ startsAt, ...leg }): PastTip => ({
      viewer: owner,
      portfolioReference: reference,
      input: { idempotencyKey: leg.fixtureReference, legs: [leg], stakeHundredths: 100 },
      at: new Date(startsAt.getTime() - 3_600_000),
    }),
  );
  return { reference, tips };
}

/** Settles what is due, tip by tip when it is, until that moment comes, as the job would have. */
async function settleUntil(moment: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ dueAt: Date | null }>`select min(due_at) as "dueAt" from open_tip`.execute(database());
    const dueAt = rows[0]?.dueAt;
    if (!dueAt || dueAt > moment) return;
    expect(await settleDueTips(dueAt, { standings: false })).toBeGreaterThan(0);
  }
}

/** Publishes all tips at their moments by the command that a world of the past is made by, and settles them in between, in the order of time. */
async function playSeason(tips: readonly PastTip[]): Promise<void> {
  const moments = [...new Set(tips.map(({ at }) => at.getTime()))].sort((one, other) => one - other);
  for (const moment of moments) {
    await settleUntil(new Date(moment));
    await publishPastTips(tips.filter(({ at }) => at.getTime() === moment));
  }
  await settleUntil(now);
}

const statisticsOf = (reference: string) => getStatistics(owner, reference, { range: TimeRange.allTime }, now);
let owner: Awaited<ReturnType<typeof openShop>>['owner'];

describeIfPresent('a whole season, tipped match by match through the commands', () => {
  beforeAll(async () => {
    await importSeason();
    owner = (await openShop('watcher', { name: 'Watcher' }, opened)).owner;
  });

  const bets: [name: string, bet: Bet, profitHundredths: number][] = [
    ['home', { kind: 'match-result', key: 'home' }, -3513],
    ['draw', { kind: 'match-result', key: 'draw' }, 2924],
    ['away', { kind: 'match-result', key: 'away' }, -3656],
    ['over', { kind: 'total', key: 'over' }, -984],
    ['under', { kind: 'total', key: 'under' }, -2125],
    ['handicap-home', { kind: 'asian-handicap', key: 'home' }, -65],
    ['handicap-away', { kind: 'asian-handicap', key: 'away' }, -2373],
  ];

  const references = new Map<string, string>();
  beforeAll(async () => {
    const all: PastTip[] = [];
    for (const [name, bet] of bets) {
      const { reference, tips } = await tipsOnEvery(name, bet);
      references.set(name, reference);
      all.push(...tips);
    }
    await playSeason(all);
  });

  test('ends in the oracle’s profit for each of seven bets', async () => {
    const profits: [string, number][] = [];
    for (const [name, reference] of references)
      profits.push([name, Number((await statisticsOf(reference)).advised.profitHundredths)]);
    expect(profits).toEqual(bets.map(([name, , profit]) => [name, profit]));
  });

  test('has the oracle’s figures for every home win', async () => {
    const statistics = await statisticsOf('every-home');
    expect(statistics).toMatchObject({
      ...{ tips: 380, voids: 0, won: 162, tooFew: false, longestLosingRun: 11 },
      strikeRatePercent: { value: 42.6316, count: 380 },
      averageOdds: { value: 2.6478, count: 380 },
      clvPercent: { value: -1.0078, count: 380 },
      noVigClvPercent: { value: -6.513, count: 380 },
      advised: {
        turnoverHundredths: 38_000,
        maxDrawdownHundredths: 5922,
        yieldPercent: { value: -9.2447, count: 380 },
      },
    });
  });

  test('has the oracle’s months', async () => {
    const { rows } = await getBreakdown(owner, 'every-home', { kind: 'month', range: TimeRange.allTime }, now);
    expect(rows).toMatchObject(
      [386, -447, 983, 501, -1179, -887, -2175, -188, -184, -323].map((profitHundredths) => ({
        advised: { profitHundredths },
      })),
    );
  });

  test('has the oracle’s outcomes on the handicap line', async () => {
    const { rows } = await sql<{ outcome: string; count: number }>`
      select outcome, count(*)::int as count from tip_settlement join tip on tip.id = tip_id join portfolio on portfolio.id = portfolio_id
      where portfolio.reference = 'every-handicap-home' group by outcome
    `.execute(database());
    expect(Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))).toEqual({
      won: 161,
      'half-won': 19,
      void: 26,
      'half-lost': 30,
      lost: 143,
    });
  });
});
