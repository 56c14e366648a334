import { importFixtures } from '@/lib/fixtures/commands';
import type { FeedFixture, FeedMarket, FeedPrice } from '@/lib/fixtures/schema';

/** The moment at which the tests stand. */
export const worldNow = new Date('2026-03-10T12:00:00.000Z');

const league = (reference: string, name: string, rank: number) => ({
  reference,
  name,
  countryIso2: 'GB',
  territory: 'England',
  rank,
});
const northern = league('england-northern-league', 'Northern League', 10);
const southern = league('england-southern-league', 'Southern League', 20);

const price = (bookmakerReference: string, oddsThousandths: number, at: string, closing = false): FeedPrice => ({
  bookmakerReference,
  price: { oddsThousandths, fraction: null },
  at,
  timeKnown: !closing,
  closing,
});

const whole = { lineHundredths: 0, period: 'full-time', includesOvertime: false } as const;

/** A match-result market with the given prices for home, draw and away, in thousandths, per bookmaker. */
export function matchResult(
  home: string,
  away: string,
  at: string,
  quotes: Record<string, [number, number, number]>,
  closing = false,
): FeedMarket {
  const prices = (index: 0 | 1 | 2) =>
    Object.entries(quotes).map(([bookmaker, odds]) => price(bookmaker, odds[index], at, closing));
  return {
    kind: 'match-result',
    ...whole,
    selections: [
      { key: 'home', name: home, prices: prices(0) },
      { key: 'draw', name: 'Draw', prices: prices(1) },
      { key: 'away', name: away, prices: prices(2) },
    ],
  };
}

const total = (at: string, over: number, under: number): FeedMarket => ({
  kind: 'total',
  ...whole,
  lineHundredths: 250,
  selections: [
    { key: 'over', name: 'Over 2.5', prices: [price('bet365', over, at)] },
    { key: 'under', name: 'Under 2.5', prices: [price('bet365', under, at)] },
  ],
});

/** A football match of the Northern League as a feed gives it, with nothing but its sides and start unless more is said. */
export function match(home: string, away: string, startsAt: string, more: Partial<FeedFixture> = {}): FeedFixture {
  return {
    sportReference: 'football',
    league: northern,
    season: '2025-26',
    home,
    away,
    startsAt,
    startTimeKnown: true,
    result: null,
    markets: [],
    ...more,
  };
}

/** Rovers v Town was played and priced before and at the start; Athletic v Wanderers, City v Rovers and Dons v Swifts are to come; Town v City awaits its result. */
export const worldFixtures: readonly FeedFixture[] = [
  match('Rovers', 'Town', '2026-03-07T15:00:00.000Z', {
    result: { home: 2, away: 1, halfTime: { home: 1, away: 1 } },
    markets: [
      matchResult('Rovers', 'Town', '2026-03-06T15:00:00.000Z', {
        bet365: [1910, 3400, 4000],
        pinnacle: [1950, 3500, 4100],
        coral: [1900, 3300, 3900],
      }),
      matchResult(
        'Rovers',
        'Town',
        '2026-03-07T15:00:00.000Z',
        { bet365: [1850, 3500, 4200], pinnacle: [1890, 3600, 4300] },
        true,
      ),
      total('2026-03-06T15:00:00.000Z', 1900, 1950),
    ],
  }),
  match('Town', 'City', '2026-03-08T14:00:00.000Z'),
  match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', {
    markets: [
      matchResult('Athletic', 'Wanderers', '2026-03-09T09:00:00.000Z', {
        bet365: [2500, 3200, 2900],
        coral: [2450, 3250, 3000],
      }),
    ],
  }),
  match('City', 'Rovers', '2026-03-14T15:00:00.000Z'),
  match('Dons', 'Swifts', '2026-03-11T19:45:00.000Z', { league: southern }),
];

/** Puts the named world into the database. */
export async function buildWorld(): Promise<void> {
  await importFixtures(
    worldFixtures.map((fixture, index) => ({ line: index + 1, fixture })),
    'football-data',
    worldNow,
  );
}
