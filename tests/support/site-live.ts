import { createAccount } from '@/lib/accounts/commands';
import { openProgram } from '@/lib/program/program';
import { member } from '@/lib/http/viewer';
import { importFixtures, reportLiveScores } from '@/lib/fixtures/commands';
import { getFixture } from '@/lib/fixtures/queries/fixtures';
import { getMarkets } from '@/lib/fixtures/queries';
import { fixtureReference } from '@/lib/fixtures/rules/lifecycle';
import type { FeedFixture } from '@/lib/fixtures/schema';
import { now as present } from '@/lib/platform/clock';
import { createPortfolio } from '@/lib/portfolios/commands';
import { houseBookmakerId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { publishTip } from '@/lib/tips/commands';
import { liveSides, type LiveSite, secretReason } from './site-live-names';
import { sellMonthly } from './members';

const minuteMilliseconds = 60_000;
const sampleBook = 'tipledger-exchange';
const opening = { home: 2000, draw: 3200, away: 3600 } as const;

const referenceOf = ({ home, away }: { home: string; away: string }, startsAt: string) =>
  fixtureReference(home, away, startsAt.slice(0, 10));

function fixtureOf(sides: { home: string; away: string }, startsAt: string, home: number, at: Date): FeedFixture {
  const selections = (['home', 'draw', 'away'] as const).map((key) => ({
    key,
    name: { ...sides, draw: 'Draw' }[key],
    prices: [
      {
        bookmakerReference: sampleBook,
        price: { oddsThousandths: key === 'home' ? home : opening[key], fraction: null },
        at: at.toISOString(),
        timeKnown: true,
        closing: false,
      },
    ],
  }));
  return {
    ...{ sportReference: 'football', season: '2026-27', startsAt, startTimeKnown: true, ...sides, result: null },
    league: { reference: 'sample-league', name: 'Sample League', countryIso2: null, territory: null, rank: 100 },
    markets: [{ kind: 'match-result', lineHundredths: 0, period: 'full-time', includesOvertime: false, selections }],
  };
}

async function take(fixture: FeedFixture, now: Date): Promise<void> {
  const { rejections } = await importFixtures([{ line: 1, fixture }], 'football-data', now);
  if (rejections[0]) throw new Error(rejections[0].reason);
}

async function begin(now: Date): Promise<LiveSite> {
  const moment = (minutes: number) => new Date(now.getTime() + minutes * minuteMilliseconds);
  const [started, starts] = [moment(-20).toISOString(), moment(180).toISOString()];
  await take(fixtureOf(liveSides.underWay, started, opening.home, moment(-90)), now);
  await take(fixtureOf(liveSides.coming, starts, opening.home, moment(-90)), now);
  const accountId = await createAccount({ username: 'ann', demo: false }, now);
  const viewerOf = (owns: readonly number[]) =>
    member({ accountId, role: Role.user, pro: false, owns, subscribes: [] });
  await createPortfolio(viewerOf([]), { name: 'Ann open' }, now);
  const closed = await createPortfolio(
    viewerOf([]),
    { name: 'Ann members', visibility: PortfolioVisibility.premium },
    now,
  );
  await sellMonthly(closed.id, now);
  return {
    underWay: referenceOf(liveSides.underWay, started),
    coming: referenceOf(liveSides.coming, starts),
    accountId,
    portfolio: closed.reference,
    portfolioId: closed.id,
  };
}

async function publish({ coming, accountId, portfolio, portfolioId }: LiveSite, now: Date): Promise<string> {
  const owner = member({ accountId, role: Role.user, pro: false, owns: [portfolioId], subscribes: [] });
  const { markets } = await getMarkets(owner, coming, { showAll: true, pinnacleOnly: false }, now);
  const selection = markets[0]?.selections.find(({ key }) => key === 'draw');
  const leg = {
    fixtureReference: coming,
    selectionId: selection?.id ?? 0,
    bookmakerId: houseBookmakerId,
    oddsThousandths: opening.draw,
  };
  return (
    await publishTip(owner, portfolio, {
      idempotencyKey: 'members',
      legs: [leg],
      stakeHundredths: 100,
      free: false,
      analysis: secretReason,
    })
  ).reference;
}

/** Changes a site that runs, as feeds and tipsters do: begins with two matches, reports a score, moves a price, publishes a tip for members; writes what there is to standard output. */
export async function main([what = '', given = '{}']: string[]): Promise<number> {
  const program = await openProgram((line) => process.stderr.write(`${line}\n`));
  const now = present();
  try {
    if (what === 'begin') {
      process.stdout.write(JSON.stringify(await begin(now)));
      return 0;
    }
    const site = JSON.parse(given) as LiveSite & { score?: [number, number]; oddsThousandths?: number };
    if (what === 'score') {
      const [homeTeamScore = 0, awayTeamScore = 0] = site.score ?? [];
      const clock = { minutes: 0, until: 45, since: new Date(now.getTime() - 20 * minuteMilliseconds).toISOString() };
      await reportLiveScores(
        [
          {
            fixtureReference: site.underWay,
            homeTeamScore,
            awayTeamScore,
            period: 'First half',
            clock,
            scores: [],
            ended: false,
          },
        ],
        now,
      );
    }
    if (what === 'price') {
      const { startsAt } = await getFixture(
        member({ accountId: site.accountId, role: Role.user, pro: false, owns: [], subscribes: [] }),
        site.coming,
        now,
      );
      await take(fixtureOf(liveSides.coming, startsAt, site.oddsThousandths ?? 0, now), now);
    }
    if (what === 'tip') process.stdout.write(JSON.stringify(await publish(site, now)));
    return 0;
  } finally {
    await program.close();
  }
}
