import { whoReadsPosts } from '@/lib/posts/rules';
import { PortfolioVisibility } from '@/lib/reference/schema';

const { personal, premium, hidden } = PortfolioVisibility;

test.each([
  ['a personal portfolio', { visibility: personal, sells: false }, /^You alone can read/],
  [
    'a public portfolio',
    { visibility: PortfolioVisibility.public, sells: false },
    /^Everybody can read .* make the portfolio premium and put a plan on sale first\.$/,
  ],
  ['a premium portfolio without a plan on sale', { visibility: premium, sells: false }, /put a plan on sale/],
  ['a hidden portfolio', { visibility: hidden, sells: false }, /^Everybody can read/],
])('the author of %s is told who reads its posts', (_, portfolio, words) => {
  expect(whoReadsPosts(portfolio)).toMatch(words);
});

test('the author of a portfolio that sells memberships chooses who reads a post', () => {
  expect(whoReadsPosts({ visibility: premium, sells: true })).toBeNull();
});
