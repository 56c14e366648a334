import { attemptKey } from '@/components/add-tips/attempt-key';
import { dayTabs } from '@/components/add-tips/day-tabs';
import { favouritesFirst, withFavourite } from '@/components/add-tips/favourites';
import { idempotencyKeySchema } from '@/lib/reference/schema';
import type { TipToPublish } from '@/lib/bets/rules';

const tip: TipToPublish = {
  legs: [{ fixtureReference: 'a-v-b', selectionId: 7, bookmakerId: 45, oddsThousandths: 2100 }],
  stakeHundredths: 100,
  eachWay: false,
  analysis: 'Strong at home.',
  free: true,
  hidden: false,
};

describe('the name of an attempt', () => {
  test('is the same for the same tip, in every tab', () => {
    expect(attemptKey({ ...tip, legs: [...tip.legs] })).toBe(attemptKey(tip));
  });

  test('is another for every change', () => {
    const [leg] = tip.legs;
    if (!leg) throw new Error('The tip has a leg.');
    const others: TipToPublish[] = [
      { ...tip, stakeHundredths: 101 },
      { ...tip, eachWay: true },
      { ...tip, analysis: 'Strong at home!' },
      { ...tip, free: false },
      { ...tip, hidden: true },
      { ...tip, minPrice: { oddsThousandths: 1900, fraction: null } },
      { ...tip, minPrice: { oddsThousandths: 1950, fraction: null } },
      { ...tip, legs: [{ ...leg, oddsThousandths: 2050 }] },
      { ...tip, legs: [{ ...leg, bookmakerId: 1 }] },
      { ...tip, legs: [{ ...leg, selectionId: 8 }] },
    ];
    expect(new Set([tip, ...others].map(attemptKey)).size).toBe(others.length + 1);
  });

  test('is one that the server takes, however long the analysis', () => {
    expect(idempotencyKeySchema.safeParse(attemptKey({ ...tip, analysis: 'Ω'.repeat(10_000) })).success).toBe(true);
  });
});

describe('favourites', () => {
  test('stand first in the order in which they were made so', () => {
    expect(favouritesFirst(['football', 'golf', 'darts', 'tennis'], ['tennis', 'golf', 'gone'], (one) => one)).toEqual([
      'tennis',
      'golf',
      'football',
      'darts',
    ]);
  });

  test('are added at the end, once, and taken out', () => {
    expect(withFavourite(['golf', 'darts'], 'golf', true)).toEqual(['darts', 'golf']);
    expect(withFavourite(['golf', 'darts'], 'golf', false)).toEqual(['darts']);
  });
});

test('the days shown are always among the tabs, which say one day too', () => {
  expect(dayTabs('football', 5).tabs.map(({ title }) => title)).toEqual([
    'A day',
    '2 days',
    '3 days',
    '5 days',
    '7 days',
    '14 days',
  ]);
  expect(dayTabs(undefined, 1)).toMatchObject({
    activeHref: '/add-tips?days=1',
    tabs: expect.arrayContaining([{ href: '/add-tips?days=1', title: 'A day' }]),
  });
});
