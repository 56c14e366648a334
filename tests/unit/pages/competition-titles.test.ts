import fc from 'fast-check';
import { leagueWords, teamWords } from '@/lib/pages/competition-titles';
import { longestShownDescription, longestShownTitle } from '@/lib/pages/titles';
import { sports } from '@/lib/reference/schema';

const sportOf = (reference: string) => {
  const sport = sports.find((each) => each.reference === reference);
  if (!sport) throw new Error(`There is no sport ${reference}.`);
  return sport;
};

test.each([
  ['football', 'Premier', 'Northmark', 'Premier (Northmark): football tips, odds and results'],
  [
    'rugby-union',
    'Northmark Rugby Premiership',
    'Northmark',
    'Northmark Rugby Premiership (Northmark): rugby union tips',
  ],
  ['mma', 'Cage Circuit', null, 'Cage Circuit: MMA tips, odds and results'],
  ['american-football', 'Gridiron', 'Gridiron', 'Gridiron: American football tips, odds and results'],
])('a league in %s is called by as much as is shown', (sport, name, territory, title) => {
  expect(leagueWords(sportOf(sport), { name, territory }).title).toBe(title);
});

test.each([
  ['tennis', 'S. Brackiskell', 'S. Brackiskell, tennis: tips, matches and results'],
  ['american-football', 'Millbrook Tye Lanterns', 'Millbrook Tye Lanterns, American football: tips and games'],
])('who plays %s is called by as much as is shown', (sport, name, title) => {
  expect(teamWords(sportOf(sport), name, 'A league').title).toBe(title);
});

test('words of names of usual length are shown whole', () => {
  const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.constantFrom(...sports), name, name, (sport, first, second) => {
      for (const { title, description } of [
        leagueWords(sport, { name: first, territory: null }),
        teamWords(sport, first, second),
      ]) {
        expect(title.length).toBeLessThanOrEqual(longestShownTitle);
        expect(description.length).toBeLessThanOrEqual(longestShownDescription);
      }
    }),
  );
});
