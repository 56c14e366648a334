import { existsSync, readFileSync } from 'node:fs';
import { footballData } from '@/lib/feeds/football-data';
import type { FeedFixture } from '@/lib/fixtures/schema';
import type { SettledLeg } from '@/lib/record/schema';
import { fixturesOf, read, sharedFile } from '../feeds/reading';
import { bet, placedAt, score, scored, settled, startsAt, tally, tip } from './bets';

const season = sharedFile('E0_2526.csv');
const fixtures = existsSync(season) ? fixturesOf(read(footballData, readFileSync(season))) : [];

type Bet = { microunits: bigint; outcome: SettledLeg['outcome'] };

/** One unit at bet365's price before the match on a selection of its market of the kind, settled by the result; null where there was no price. */
function betOn(
  kind: 'match-result' | 'total' | 'asian-handicap',
  key: string,
  { markets, result }: FeedFixture,
): Bet | null {
  const priced = markets
    .filter((market) => market.kind === kind)
    .flatMap(({ lineHundredths, selections }) => {
      const prices = selections.find((selection) => selection.key === key)?.prices ?? [];
      const quote = prices.find(({ bookmakerReference, closing }) => bookmakerReference === 'bet365' && !closing);
      return quote?.price ? [{ lineHundredths, price: quote.price }] : [];
    });
  const [quote] = priced;
  if (!quote || !result) return null;
  const leg = bet(kind, key, {
    price: quote.price,
    market: { lineHundredths: quote.lineHundredths },
    placedAt,
    startsAt,
  });
  const halfTime = result.halfTime && tally(result.halfTime.home, result.halfTime.away);
  const { profitMicrounits, outcome } = settled(tip(1, [leg, scored(score(result.home, result.away, { halfTime }))]));
  return { microunits: BigInt(profitMicrounits), outcome };
}

const betsOn = (...[kind, key]: [Parameters<typeof betOn>[0], string]) =>
  fixtures.flatMap((fixture) => betOn(kind, key, fixture) ?? []);

(existsSync(season) ? describe : describe.skip)('a real season, one unit on every match', () => {
  test.each([
    ['match-result', 'home', 380, '-35.130000'],
    ['match-result', 'draw', 380, '29.240000'],
    ['match-result', 'away', 380, '-36.560000'],
    ['total', 'over', 380, '-9.840000'],
    ['total', 'under', 380, '-21.250000'],
    ['asian-handicap', 'home', 379, '-0.650000'],
    ['asian-handicap', 'away', 379, '-23.730000'],
  ] as const)('%s, %s', (kind, key, count, profit) => {
    const bets = betsOn(kind, key);
    const total = bets.reduce((sum, { microunits }) => sum + microunits, 0n);
    expect([bets.length, (Number(total) / 1e6).toFixed(6)]).toEqual([count, profit]);
  });

  test('the Asian handicaps of home and away mirror each other', () => {
    const count = (key: string) =>
      (['won', 'half-won', 'void', 'half-lost', 'lost'] as const).map(
        (outcome) => betsOn('asian-handicap', key).filter((each) => each.outcome === outcome).length,
      );
    expect(count('home')).toEqual([161, 19, 26, 30, 143]);
    expect(count('away')).toEqual([143, 30, 26, 19, 161]);
  });

  test('goals, results and both teams scoring are those of the season', () => {
    const won = (kind: 'match-result' | 'both-teams-to-score', key: string) =>
      fixtures.filter(
        ({ result }) =>
          result && settled(tip(1, [bet(kind, key), scored(score(result.home, result.away))])).outcome === 'won',
      ).length;
    expect([
      won('match-result', 'home'),
      won('match-result', 'draw'),
      won('match-result', 'away'),
      won('both-teams-to-score', 'yes'),
    ]).toEqual([162, 104, 114, 213]);
  });
});
