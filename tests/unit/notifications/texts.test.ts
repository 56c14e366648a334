import type { FixtureView } from '@/lib/fixtures/schema';
import { otherAmountBecause } from '@/lib/memberships/rules';
import { membershipWords, resultWords, settlementWords, tipName, tipWords } from '@/lib/notifications/rules/texts';
import { OddsDisplay } from '@/lib/reference/schema';
import type { TipView } from '@/lib/tips/schema';

const tip = (said: Partial<TipView>) =>
  ({
    lock: 'hidden',
    legCount: 1,
    stakeHundredths: 100,
    eachWay: false,
    firstStartsAt: '2026-08-15T15:00:00Z',
    ...said,
  }) as TipView;
const read = (said: Partial<TipView>, timeZone: string) =>
  tipWords(
    'Ann Football',
    tip(said),
    [],
    { takenThousandths: null, bestNowThousandths: null },
    {
      oddsDisplay: OddsDisplay.decimal,
      timeZone,
    },
  );

test.each([
  [1, 'Europe/London', 'Starts Sat 15 Aug 2026, 16:00 (UK time).'],
  [2, 'Europe/London', 'First leg starts Sat 15 Aug 2026, 16:00 (UK time).'],
  [1, 'Asia/Kathmandu', 'Starts Sat 15 Aug 2026, 20:45 (Kathmandu time).'],
  [1, 'Etc/UTC', 'Starts Sat 15 Aug 2026, 15:00 (UTC).'],
])('a tip of %d legs names the zone %s beside its start', (legCount, timeZone, start) => {
  expect(read({ legCount }, timeZone).body).toContain(start);
});

test.each([
  [0, 'There is no charge on that day, as your coupon covers it. It renews unless you cancel before then.'],
  [2000, 'You will be charged £20.00 on that day unless you cancel before then.'],
])('a reminder of a renewal for %d pence says what is charged', (amountMinor, said) => {
  const news = { what: 'reminder', amountMinor, currencyId: 1, periodEndsAt: '2026-08-15T15:00:00Z' } as const;
  expect(membershipWords('Ann Football', news, 'Europe/London').body).toContain(said);
});

test.each([
  [0, 'It then renews on that day at no charge unless you cancel before then.'],
  [2000, 'It then renews on that day at £20.00 unless you cancel before then.'],
])(
  'a reminder of a membership whose card is charged no more says that it ends, and what another is charged: %d pence',
  (amountMinor, said) => {
    const news = { what: 'reminder', amountMinor, needsCard: true, currencyId: 1 } as const;
    const { title, body } = membershipWords(
      'Ann Football',
      { ...news, periodEndsAt: '2026-08-15T15:00:00Z' },
      'Europe/London',
    );
    expect(title).toBe('Your membership of Ann Football ends on Sat 15 Aug 2026');
    expect(body).toContain('Nothing more is charged to that card.');
    expect(body).toContain(said);
  },
);

test('whoever was charged another amount reads for what, and what to do', () => {
  const news = { what: 'other amount', because: otherAmountBecause, order: 'abcdefghjk', currencyId: 1 } as const;
  expect(membershipWords('Ann Football', news, 'Europe/London')).toEqual({
    title: 'Your payment for Ann Football was not the amount that was agreed',
    body: 'Your card was charged another amount than was agreed. Write to us through the contact page: we will give it back, and then you can join again.',
  });
});

test.each([
  [1, 'A hidden tip'],
  [4, 'A hidden tip of 4 legs'],
])('a hidden tip of %d legs is called %s', (legCount, name) => {
  expect(tipName(tip({ legCount }), [])).toBe(name);
});

test.each([
  [1, 'won', { title: 'Ann Football: won, Arsenal to win', body: 'Arsenal to win: won, +1.00 units.' }],
  [1, 'void', { title: 'Ann Football: void, Arsenal to win', body: 'Arsenal to win: void, +1.00 units.' }],
  [
    2,
    'half-lost',
    { title: 'Ann Football: a settlement was corrected', body: 'Arsenal to win: half lost, +1.00 units. A goal.' },
  ],
])('settlement %d says what came of the tip apart from its name: %s', (version, outcome, words) => {
  const settlement = { version, outcome, profitHundredths: '100', reason: version > 1 ? 'A goal.' : null };
  expect(settlementWords('Ann Football', 'Arsenal to win', settlement as TipView['settlements'][number])).toEqual(
    words,
  );
});

test.each([
  ['a score', 'football', { finalScore: '2–1' }, 'Ash v Elm: 2–1'],
  [
    'a score that came about otherwise',
    'tennis',
    { finalScore: '1–0', finish: 'Retirement', ending: 'home-retired' },
    'Ash v Elm: 1–0 (Ash retired)',
  ],
  ['a walkover', 'tennis', { finish: 'Walkover', ending: 'walkover' }, 'Ash v Elm: Walkover'],
  ['what was abandoned', 'football', { finalScore: '1–0', abandoned: true }, 'Ash v Elm was abandoned at 1–0'],
  ['what was abandoned without a score', 'football', { abandoned: true }, 'Ash v Elm was abandoned'],
  ['a fight', 'boxing', { finalScore: '0–1', finish: 'KO, round 7' }, 'Ash v Elm: Elm won by KO, round 7'],
  ['a fight that nobody won', 'mma', { finalScore: '0–0' }, 'Ash v Elm: Draw'],
  ['a race', 'horse-racing', { positions: [{ position: 1, name: 'Slate Roof' }] }, 'Ash v Elm: Won by Slate Roof'],
  ['nothing that is known', 'football', {}, 'Ash v Elm has a result'],
] as const)('the result of a fixture is told by %s', (_, sportReference, told, title) => {
  const {
    finalScore = null,
    finish = null,
    positions = [],
    abandoned = false,
    ending = null,
  } = told as {
    finalScore?: string;
    finish?: string;
    positions?: { position: number; name: string }[];
    abandoned?: boolean;
    ending?: FixtureView['score']['ending'];
  };
  const [homeTeamScore = 0, awayTeamScore = 0] = finalScore?.split('–').map(Number) ?? [];
  const score = {
    ...{ finish, positions, abandoned, ending },
    finalScore: finalScore === null ? null : { displayName: finalScore, homeTeamScore, awayTeamScore },
  };
  const fixture = { name: 'Ash v Elm', sportReference, home: { name: 'Ash' }, away: { name: 'Elm' }, score };
  expect(resultWords(fixture).title).toBe(title);
});
