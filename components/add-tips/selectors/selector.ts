import type { MarketGroup, SideNames } from '@/lib/fixtures/rules';
import type { FixtureDetail } from '@/lib/fixtures/schema';

/** What every selector gets: the markets that it shows, and the fixture by the desk. */
export type SelectorProps = { group: MarketGroup };

/** What the two sides are called; the words of a grid where a fixture has none. */
export const sidesOf = ({ home, away }: Pick<FixtureDetail, 'home' | 'away'>): SideNames => ({
  home: home?.name ?? 'Home',
  away: away?.name ?? 'Away',
});
