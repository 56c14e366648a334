import { whoReadsPosts } from '@/lib/posts/rules';
import { PortfolioVisibility } from '@/lib/reference/schema';

const { personal, premium, hidden } = PortfolioVisibility;

test.each([
  ['a personal portfolio', { visibility: personal, tipledgerPro: false }, /^You alone can read/],
  [
    'a public portfolio',
    { visibility: PortfolioVisibility.public, tipledgerPro: false },
    /^Everybody can read .* make the portfolio premium first\.$/,
  ],
  ['a hidden portfolio', { visibility: hidden, tipledgerPro: false }, /^Everybody can read/],
])('the author of %s is told who reads its posts', (_, portfolio, words) => {
  expect(whoReadsPosts(portfolio)).toMatch(words);
});

test.each([
  { visibility: premium, tipledgerPro: false },
  { visibility: PortfolioVisibility.public, tipledgerPro: true },
])('the author of a portfolio that has members chooses who reads a post', (portfolio) => {
  expect(whoReadsPosts(portfolio)).toBeNull();
});
