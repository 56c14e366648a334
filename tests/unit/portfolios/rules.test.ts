import { nextPortfolio, whyCannotBecome } from '@/lib/portfolios/rules';
import { portfolioInputSchema } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';

const { personal, public: open, premium, hidden } = PortfolioVisibility;

describe('the kind of a portfolio', () => {
  test.each([
    [open, premium],
    [open, hidden],
    [premium, open],
    [hidden, premium],
    [premium, hidden],
    [personal, personal],
  ] as const)('can go from %i to %i where nobody has paid', (from, to) => {
    expect(whyCannotBecome(from, to, { members: 0 })).toBeNull();
  });

  test.each([
    [open, personal],
    [premium, personal],
    [hidden, personal],
    [personal, open],
    [personal, premium],
    [personal, hidden],
  ] as const)('cannot go from %i to %i at all', (from, to) => {
    expect(whyCannotBecome(from, to, { members: 0 })).toMatch(/personal/);
  });

  test('does not become public while members have paid, though it was hidden meanwhile', () => {
    expect(whyCannotBecome(premium, open, { members: 1 })).toMatch(/members who paid/);
    expect(whyCannotBecome(hidden, open, { members: 1 })).toMatch(/members who paid/);
  });

  test.each([[premium], [hidden]] as const)('can go from premium to %i while members have paid', (to) => {
    expect(whyCannotBecome(premium, to, { members: 1 })).toBeNull();
  });
});

describe('the portfolio that is current after one was abandoned', () => {
  test.each([
    [['a', 'b', 'c'], 'a', 'b'],
    [['a', 'b', 'c'], 'b', 'c'],
    [['a', 'b', 'c'], 'c', 'a'],
    [['a'], 'a', null],
    [['b', 'c'], 'a', 'b'],
    [[], 'a', null],
  ])('of %j without %s is %s', (all, gone, next) => {
    expect(nextPortfolio(all, gone)).toBe(next);
  });
});

describe('what an owner writes', () => {
  test('loses what misleads the eye, and keeps every script and emoji', () => {
    const { name, description } = portfolioInputSchema.parse({
      name: ' A\u202e b\n\uFEFF 😀 ',
      description: 'x\u2028y\u2066 עברית\r\nz',
    });
    expect([name, description]).toEqual(['A b 😀', 'x\ny עברית\nz']);
    expect(portfolioInputSchema.safeParse({ name: 'Ann', description: 'x\uD800z' }).error?.issues).toMatchObject([
      { path: ['description'], message: 'the description may hold no half of a character' },
    ]);
  });

  test.each([
    ['name', 'a\u0000bc'],
    ['description', 'a\u0007'],
    ['welcomeMessage', 'x'.repeat(2_001)],
    ['name', 'x'.repeat(81)],
  ])('is refused with %s %j', (field, text) => {
    expect(portfolioInputSchema.safeParse({ name: 'Ann', [field]: text }).error?.issues[0]?.path).toEqual([field]);
  });
});
