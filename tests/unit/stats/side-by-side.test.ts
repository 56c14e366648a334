import { readCompared } from '@/lib/stats/rules';
import { combinedFigures, courses } from '@/lib/stats/rules/side-by-side';
import { statisticsView } from '../../support/stat-views';

describe('who stands side by side', () => {
  it.each([
    ['ann,bob', ['ann', 'bob']],
    [
      ['ann', 'bob,cat', 'ann'],
      ['ann', 'bob', 'cat'],
    ],
    ['', []],
    [undefined, []],
    ['Ann,../x,bob--b,<b>,bob', ['bob']],
  ])('of %j are %j', (given, references) => {
    expect(readCompared(given)).toEqual(references);
  });
});

const units = 1_000_000;

describe('the courses of several records', () => {
  it('go on where nothing was won, and are summed', () => {
    const { days, each, all, maxDrawdownHundredths } = courses(
      [
        { place: 0, day: '2026-01-01', profit: 2 * units },
        { place: 1, day: '2026-01-01', profit: -1 * units },
        { place: 1, day: '2026-01-02', profit: -3 * units },
        { place: 0, day: '2026-01-04', profit: 5 * units },
      ],
      2,
    );
    expect(days).toEqual(['2026-01-01', '2026-01-02', '2026-01-04']);
    expect(each).toEqual([
      [200, 200, 700],
      [-100, -400, -400],
    ]);
    expect(all).toEqual([100, -200, 300]);
    expect(maxDrawdownHundredths).toBe(300);
  });

  it('count a fall from the very beginning, and one of days that are not drawn', () => {
    expect(courses([{ place: 0, day: '2026-01-01', profit: -2 * units }], 1).maxDrawdownHundredths).toBe(200);
    const days = Array.from({ length: 200 }, (_, index) => ({
      place: 0,
      day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      profit: (index === 100 ? -50 : index === 101 ? 50 : 1) * units,
    }));
    const drawn = courses(days, 1);
    expect(drawn.days.length).toBeLessThanOrEqual(60);
    expect(drawn.days.at(-1)).toBe(days.at(-1)?.day);
    expect(drawn.maxDrawdownHundredths).toBe(5000);
  });

  it('of no days are empty', () => {
    expect(courses([], 2)).toEqual({ days: [], each: [[], []], all: [], maxDrawdownHundredths: 0 });
  });
});

test('the figures of several records add up, and their yield is of what all staked', () => {
  const one = statisticsView({ tips: 50, won: 22, profitHundredths: 1250 });
  const other = statisticsView({ tips: 10, won: 2, profitHundredths: -500 });
  expect(combinedFigures([one, other])).toEqual({
    tips: 60,
    profitHundredths: 750,
    turnoverHundredths: 6000,
    yieldPercent: 12.5,
  });
  expect(combinedFigures([])).toEqual({ tips: 0, profitHundredths: 0, turnoverHundredths: 0, yieldPercent: null });
});
