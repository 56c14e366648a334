import { optionalUtcMomentSchema, utcMomentSchema } from '@/lib/staff/schema';

const said = (given: unknown) => {
  const { data, error } = utcMomentSchema.safeParse(given);
  return data?.toISOString() ?? error?.issues.map(({ message }) => message);
};

it.each([
  ['2026-03-14T15:00', '2026-03-14T15:00:00.000Z'],
  [' 2028-02-29T23:59:30 ', '2028-02-29T23:59:30.000Z'],
])('%p is %s', (given, at) => expect(said(given)).toBe(at));

it.each(['2026-02-31T10:00', '2027-02-29T10:00', '2026-03-14T24:00', '2026-13-01T10:00', '2026-03-14T15:61'])(
  '%p is no moment',
  (given) => expect(said(given)).toEqual(['This day or time does not exist.']),
);

it.each(['', '14.03.2026', '2026-03-14', '2026-03-14T15:00Z'])('%p is asked for as a day and a time', (given) =>
  expect(said(given)).toEqual(['Enter a day and a time in UTC, such as 2026-03-14T15:00.']),
);

it('may be left out where it is optional, and is the same otherwise', () => {
  expect(['', undefined, ' '].map((given) => optionalUtcMomentSchema.parse(given))).toEqual([null, null, null]);
  expect(optionalUtcMomentSchema.parse('2026-03-14T15:00')).toEqual(new Date('2026-03-14T15:00:00.000Z'));
  expect(optionalUtcMomentSchema.safeParse('2026-02-31T10:00').success).toBe(false);
});
