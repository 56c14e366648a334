import { sql } from 'kysely';
import { guest } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import { forgetEverything } from '@/lib/platform/cache';
import { database, transact } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility, TimeRange } from '@/lib/reference/schema';
import { computeStandings, drawDueSketches } from '@/lib/stats/commands';
import { comparePortfolios, findChangedRollups, findSpeciality, getSideBySide } from '@/lib/stats/queries';
import { openComparisonFilter, type SideBySide } from '@/lib/stats/schema';
import { publishPastTips } from '@/lib/tips/commands';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { settleDueTips } from '../support/moments';
import { match, worldNow } from '../support/world';

const later = new Date('2026-03-11T12:00:00.000Z');

// What each backs, twelve times at one unit, on a match that ends 2–0.
const members = [
  { name: 'ann', keys: ['home', 'draw'], visibility: PortfolioVisibility.public },
  { name: 'bob', keys: ['home'], visibility: PortfolioVisibility.premium },
  { name: 'gus', keys: ['away'], visibility: PortfolioVisibility.personal },
];

onTestDatabase();

let whileOpen: SideBySide;

beforeAll(async () => {
  for (const { name, keys, visibility } of members) {
    const { owner, reference } = await openShop(name, { name: `${name} tips`, visibility }, worldNow);
    const legs = await Promise.all(
      keys.map((key) => offer('athletic-v-wanderers-2026-03-10', 'match-result', key, 'bet365')),
    );
    await publishPastTips(
      Array.from({ length: 6 }, (_, index) => index).flatMap((index) =>
        legs.map((leg, place) => ({
          viewer: owner,
          portfolioReference: reference,
          at: worldNow,
          input: { idempotencyKey: `${index}-${place}`, legs: [leg], stakeHundredths: 100 },
        })),
      ),
    );
  }
  whileOpen = await getSideBySide(guest(), ['bob-tips', 'ann-tips'], { range: TimeRange.year }, worldNow);
  await importFixtures(
    [
      {
        line: 2,
        fixture: match('Athletic', 'Wanderers', '2026-03-10T20:00:00.000Z', {
          result: { home: 2, away: 0, halfTime: null },
        }),
      },
    ],
    'football-data',
    later,
  );
  await settleDueTips(later);
  await forgetEverything();
});

const rows = async () => (await comparePortfolios(guest(), openComparisonFilter)).items;

test('a row of the comparison has its curve, its last results and its speciality once they are drawn', async () => {
  expect((await rows()).map(({ curve, form, speciality }) => ({ curve, form, speciality }))).toEqual([
    { curve: [], form: '', speciality: null },
    { curve: [], form: '', speciality: null },
  ]);
  expect(await drawDueSketches()).toBe(3);
  for (const { owner, curve, form, statistics, speciality } of await rows()) {
    expect(curve[0]).toBe(0);
    expect(curve.at(-1)).toBe(statistics.advised.profitHundredths);
    expect(form).toBe(owner === 'ann' ? 'WLWLWLWLWL' : 'WWWWWW');
    expect(speciality).toEqual(
      owner === 'ann' ? { kind: 'league', label: expect.any(String), tips: 12, of: 12 } : null,
    );
  }
  expect(await findSpeciality(guest(), 'ann-tips')).toMatchObject({ kind: 'league', tips: 12 });
});

test('what did not change is not drawn again, and what did is', async () => {
  await drawDueSketches();
  expect(await drawDueSketches()).toBe(0);
  await sql`update portfolio_sketch set standing = 'older', form = 'V' where sport_id = 0 and portfolio_id = (select id from portfolio where reference = 'bob-tips')`.execute(
    database(),
  );
  expect(await drawDueSketches()).toBe(0);
  await transact(async () => {
    const { rows } = await sql<{ id: number }>`select id from portfolio`.execute(database());
    await computeStandings(
      rows.map(({ id }) => id),
      later,
    );
  });
  expect(await drawDueSketches()).toBe(1);
  expect((await rows()).find(({ owner }) => owner === 'bob')?.form).toBe('WWWWWW');
});

test.each([
  ['results', sql`form = 'WWWWWWWWWW'`],
  ['a curve', sql`curves = jsonb_set(curves, '{6,advised,1}', '99999')`],
  ['what it is mostly on', sql`speciality = jsonb_set(speciality, '{tips}', '11')`],
])('that was drawn otherwise than the record is found by the audit: %s', (_, change) =>
  undone(async () => {
    const what = async () => (await findChangedRollups(null, 100)).changed.map((changed) => changed.what);
    await drawDueSketches();
    expect(await what()).toEqual([]);
    await sql`update portfolio_sketch set ${change} where sport_id = 0 and portfolio_id = (select id from portfolio where reference = 'ann-tips')`.execute(
      database(),
    );
    expect(await what()).toEqual(['what is drawn of it in sport 0']);
    await sql`insert into sketch_due (portfolio_id) select id from portfolio`.execute(database());
    expect(await what()).toEqual([]);
  })(),
);

describe('tipsters side by side', () => {
  const compare = (...references: string[]) => getSideBySide(guest(), references, { range: TimeRange.year }, later);

  test('stand in the order given, with what they have in common and what they come to together', async () => {
    const { portfolios, combined, selections, overlaps, days } = await compare('bob-tips', 'ann-tips');
    expect(portfolios.map(({ reference, course }) => [reference, course.at(-1)])).toEqual(
      portfolios.map(({ reference, statistics }) => [reference, statistics.advised.profitHundredths]),
    );
    expect(portfolios.map(({ reference }) => reference)).toEqual(['bob-tips', 'ann-tips']);
    expect(combined.tips).toBe(18);
    expect(combined.course.at(-1)).toBe(combined.profitHundredths);
    expect(days).toHaveLength(1);
    expect(selections).toEqual([1, 2]);
    expect(overlaps).toEqual([{ places: [0, 1], shared: 1 }]);
  });

  test('are missing where one of them may not be seen', async () => {
    await expect(compare('ann-tips', 'gus-tips')).rejects.toMatchObject({ kind: 'missing' });
    await expect(compare('ann-tips', 'nobody')).rejects.toMatchObject({ kind: 'missing' });
  });

  test('do not tell of tips that are open', () => {
    expect(whileOpen).toMatchObject({ selections: [0, 0], overlaps: [{ places: [0, 1], shared: 0 }] });
  });
});

test('no portfolio is given an address at which a page or a call stands', async () => {
  const { owner } = await openShop('ida', { name: 'ida tips', visibility: PortfolioVisibility.public }, worldNow);
  for (const name of ['Compare', 'New', 'Recommended', 'Most popular'])
    expect((await createPortfolio(owner, { name }, worldNow)).reference).toMatch(/-2$/);
});

test('no portfolio is given a word by which an address asks who one is', async () => {
  const { owner } = await openShop('jo', { name: 'jo tips', visibility: PortfolioVisibility.public }, worldNow);
  for (const name of ['Admin', 'Manage', 'Dashboard', 'Earnings', 'Add post', 'Edit'])
    expect((await createPortfolio(owner, { name }, worldNow)).reference).toMatch(/-2$/);
});
