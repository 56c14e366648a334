import { sharedTip } from '@/lib/tips/rules';
import type { TipLegView, TipView } from '@/lib/tips/schema';

const leg = (selectionName: string): TipLegView => ({
  bet: `${selectionName} to beat Town`,
  fixtureReference: 'rovers-v-town',
  fixtureName: 'Rovers v Town',
  sportReference: 'football',
  leagueName: 'Northern League',
  startsAt: '2026-03-10T15:00:00.000Z',
  marketName: 'Match result',
  selectionId: 1,
  selectionName,
  bookmakerName: 'Bet One',
  price: { oddsThousandths: 2500, fraction: null },
  priceAt: '2026-03-10T10:00:00.000Z',
  priceNow: null,
  bestNow: null,
  closingPrice: null,
  eachWayPlaces: null,
  eachWayFraction: null,
  finalScore: null,
  outcome: null,
  rule: null,
  score: { status: 'awaiting-result', finalScore: null },
  postponedUntil: null,
});

const tip = (more: Partial<TipView> = {}): TipView => ({
  reference: 'abcdefghjk',
  portfolioReference: 'ann',
  portfolioName: 'Ann',
  publishedAt: '2026-03-10T10:00:00.000Z',
  firstStartsAt: '2026-03-10T15:00:00.000Z',
  started: false,
  stakeHundredths: 150,
  eachWay: false,
  free: true,
  hidden: false,
  legCount: 1,
  lock: null,
  legs: [leg('Rovers')],
  totalOddsThousandths: 2500,
  minPrice: null,
  analysis: 'A secret reason.',
  settlements: [],
  followers: [],
  ledgerSequence: 1,
  demo: false,
  ...more,
});

const look = { timeZone: 'Europe/London', timeZoneName: 'UK time' };
const settled = (outcome: string, profitHundredths: number) => ({
  version: 1,
  outcome,
  stakedHundredths: 150,
  profitHundredths,
  returnHundredths: 0,
  reason: null,
  actor: null,
  settledAt: '2026-03-10T19:00:00.000Z',
  sequence: 2,
});

test('a single says what was backed, at which price and stake, and where it stands', () => {
  expect(sharedTip(tip(), look)).toEqual({
    portfolio: 'Ann',
    what: 'Rovers',
    where: 'Match result, Rovers v Town',
    odds: '2.50',
    stake: '1.50 u',
    state: { text: 'Upcoming', tone: 'plain' },
    when: 'Tue 10 Mar 2026, 15:00 UK time',
    demo: false,
  });
});

test('one on a postponed fixture says so, before and after its start, until it is settled', () => {
  const legs = [leg('Town'), { ...leg('Rovers'), postponedUntil: '2026-03-12T15:00:00.000Z' }];
  for (const started of [false, true])
    expect(sharedTip(tip({ started, legs, legCount: 2 }), look).state).toEqual({ text: 'Postponed', tone: 'plain' });
  expect(sharedTip(tip({ started: true, legs, settlements: [settled('void', 0)] }), look).state.text).toMatch(/^Void/);
});

test.each([
  [settled('won', 225), 'Won +2.25 u', 'profit'],
  [settled('lost', -150), 'Lost −1.50 u', 'loss'],
  [settled('void', 0), /^Void/, 'plain'],
] as const)('a settled one says its profit: %j', (settlement, text, tone) => {
  expect(sharedTip(tip({ started: true, settlements: [settlement] }), look).state).toEqual({
    text: typeof text === 'string' ? text : expect.stringMatching(text),
    tone,
  });
});

test('a locked one says that it is, and neither selection, fixture, price nor reason', () => {
  for (const lock of ['hidden', 'members'] as const) {
    const shared = sharedTip(
      tip({
        lock,
        legs: [],
        legCount: 3,
        totalOddsThousandths: null,
        analysis: null,
        hidden: lock === 'hidden',
        free: lock !== 'members',
      }),
      look,
    );
    expect(shared).toMatchObject({
      what: lock === 'hidden' ? 'A hidden tip' : 'A tip for members',
      odds: null,
      state: { text: 'Opens at the start' },
    });
    expect(JSON.stringify(shared)).not.toMatch(/Rovers|2\.50|secret/);
  }
});

test('an accumulator names its first legs and how many more there are', () => {
  const legs = ['Rovers', 'Town', 'City', 'Dons', 'Swifts'].map(leg);
  expect(sharedTip(tip({ legs, legCount: 5, totalOddsThousandths: 97_656.25 }), look)).toMatchObject({
    what: '5-fold',
    where: 'Rovers to beat Town · Town to beat Town and 3 more',
    odds: '97.66',
  });
});
