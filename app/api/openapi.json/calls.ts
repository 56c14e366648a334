import type { Call } from '@/lib/entry/handle';
import * as edgeFixtureUpcoming from '../edge/fixture-upcoming/route';
import * as edgeFixtures from '../edge/fixtures/route';
import * as edgeFixturesList from '../edge/fixtures-list/route';
import * as edgeMarketNamesList from '../edge/market-names-list/route';
import * as edgeTopLeagues from '../edge/top-leagues/route';
import * as edgeVersion from '../edge/version/route';
import * as fixtureMarkets from '../fixture/[reference]/markets/route';
import * as fixture from '../fixture/[reference]/route';
import * as fixtureScore from '../fixture/[reference]/score/route';
import * as liveScores from '../live-scores/route';

/** Every call of the API by its path; a test holds this table against the folders of app/api. */
export const calls: Record<string, Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Call>>> = {
  '/fixture/{reference}': fixture,
  '/fixture/{reference}/markets': fixtureMarkets,
  '/fixture/{reference}/score': fixtureScore,
  '/edge/fixtures': edgeFixtures,
  '/edge/top-leagues': edgeTopLeagues,
  '/edge/fixtures-list': edgeFixturesList,
  '/edge/market-names-list': edgeMarketNamesList,
  '/edge/fixture-upcoming': edgeFixtureUpcoming,
  '/edge/version': edgeVersion,
  '/live-scores': liveScores,
};
