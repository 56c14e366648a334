import { sports } from '@/lib/reference/schema';
import { sportIconPixels, sportSchema } from '@/lib/reference/schema/sports';

// The table of spec §3, written out once more.
const specified: readonly (readonly [number, string, number])[] = [
  [1, 'football', 240],
  [2, 'horse-racing', 45],
  [3, 'american-football', 240],
  [4, 'basketball', 240],
  [5, 'baseball', 360],
  [6, 'e-sports', 240],
  [7, 'australian-rules', 240],
  [8, 'boxing', 240],
  [9, 'cricket', 540],
  [10, 'handball', 240],
  [11, 'mma', 120],
  [12, 'ice-hockey', 480],
  [13, 'rugby-league', 240],
  [14, 'rugby-union', 240],
  [15, 'snooker', 600],
  [16, 'tennis', 240],
  [17, 'darts', 240],
  [18, 'motor-racing', 240],
  [19, 'golf', 4800],
  [20, 'greyhounds', 45],
  [21, 'volleyball', 45],
];

test('the sports have the ids, references and minutes before the result of the specification', () => {
  expect(sports.map(({ id, reference, minutesBeforeResult }) => [id, reference, minutesBeforeResult])).toEqual(
    specified,
  );
});

test('every sport satisfies its schema', () => {
  for (const sport of sports) expect(sportSchema.parse(sport)).toEqual(sport);
});

test('only Australian rules is disabled', () => {
  expect(sports.filter(({ enabled }) => !enabled).map(({ reference }) => reference)).toEqual(['australian-rules']);
});

test('ranks run from 1 to 21 and begin with the five sports that the menu shows', () => {
  const ranked = sports.toSorted((one, other) => one.rank - other.rank);
  expect(ranked.map(({ rank }) => rank)).toEqual(Array.from({ length: 21 }, (_, at) => at + 1));
  expect(ranked.slice(0, 5).map(({ reference }) => reference)).toEqual([
    'football',
    'horse-racing',
    'tennis',
    'american-football',
    'basketball',
  ]);
});

test('names are the references in proper English', () => {
  const name = (reference: string) => sports.find((sport) => sport.reference === reference)?.name;
  expect(name('horse-racing')).toBe('Horse racing');
  expect(name('mma')).toBe('MMA');
  expect(name('e-sports')).toBe('E-sports');
  for (const sport of sports) expect(sport.name.toLowerCase().replaceAll(' ', '-')).toBe(sport.reference);
});

test('pictures are found by the reference, with a white one for masks', () => {
  for (const { reference, imageUrl, maskableImageUrl } of sports) {
    expect(imageUrl).toBe(`/images/sports/${reference}.svg`);
    expect(maskableImageUrl).toBe(`/images/sports/${reference}-white.svg`);
  }
  expect(sportIconPixels).toBe(20);
});

test('every description is one sentence of its own', () => {
  expect(new Set(sports.map(({ description }) => description)).size).toBe(21);
  for (const { description } of sports) expect(description).toMatch(/^[A-Z][^.]+\.$/);
});

test('a sport without a known picture, or with another field, is refused', () => {
  const [football] = sports;
  expect(sportSchema.safeParse({ ...football, imageUrl: 'https://elsewhere.example/football.svg' }).success).toBe(
    false,
  );
  expect(sportSchema.safeParse({ ...football, odds: 2 }).success).toBe(false);
  expect(sportSchema.safeParse({ ...football, description: null }).success).toBe(true);
});
