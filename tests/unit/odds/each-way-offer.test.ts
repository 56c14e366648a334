import { offeredTerms } from '@/lib/odds/rules/each-way-offer';

const terms = (said: Partial<Parameters<typeof offeredTerms>[0]>) =>
  offeredTerms({ kind: 'outright-winner', sportReference: 'horse-racing', runners: 10, handicap: false, ...said });

test.each([
  [4, false, null],
  [5, false, [2, 4]],
  [8, false, [3, 5]],
  [12, true, [3, 4]],
  [16, true, [4, 4]],
  [16, false, [3, 5]],
] as const)('a race of %i, a handicap %s, is offered each-way at %j', (runners, handicap, expected) => {
  const found = terms({ runners, handicap });
  expect(found && [found.places, found.fraction.denominator]).toEqual(expected);
  if (found) expect(found.basis).toBe('standard');
});

test('golf has terms of its own, other sports and other markets none', () => {
  expect(terms({ sportReference: 'golf', runners: 0 })).toEqual({
    places: 5,
    fraction: { numerator: 1, denominator: 4 },
    basis: 'standard',
  });
  expect(terms({ sportReference: 'snooker' })).toBeNull();
  expect(terms({ kind: 'match-result' })).toBeNull();
});
