import { guest } from '@/lib/http/viewer';
import { closeMarkets, importFixtures } from '@/lib/fixtures/commands';
import {
  findLeagueTable,
  findSeasonOf,
  getFixtureDetail,
  getLeague,
  getSideForm,
  listFixtures,
} from '@/lib/fixtures/queries';
import { daysAfter } from '@/lib/fixtures/rules';
import { collectReads, Reads } from '@/lib/platform/cache';
import { decidedAt } from '@/lib/platform/moment';
import { listPosts } from '@/lib/posts/queries';
import { getCheckpoints, listNewestEntries, proveTip } from '@/lib/record/queries';
import { Role, TimeRange } from '@/lib/reference/schema';
import { orderCorrection } from '@/lib/rulings/commands';
import {
  comparePortfolios,
  getBreakdown,
  getMonthOverview,
  getProfitCurve,
  getRecentForm,
  getStatistics,
  listMostPopular,
} from '@/lib/stats/queries';
import { defaultComparisonFilter } from '@/lib/stats/schema';
import { getTip, listLatestTips, listTips, listTipsOnFixture, listTopTips } from '@/lib/tips/queries';
import { openStaff } from '../support/accounts';
import { onTestDatabase } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip, settleDueTips } from '../support/moments';
import { match, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const dons = 'dons-v-swifts-2026-03-11';
const startsAt = '2026-03-10T20:00:00.000Z';
const viewer = guest();
const hoursLater = (hours: number) => new Date(Date.parse(startsAt) + hours * 3_600_000);

const homeWin = { action: 'fixture.score', home: 1, away: 0, halfTimeHome: null, halfTimeAway: null } as const;

type Shop = Awaited<ReturnType<typeof openShop>>;

let shop: Shop;
let tip: string;
let key = 0;

const publish = async () => {
  const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
  return (
    await publishTip(
      shop.owner,
      shop.reference,
      { idempotencyKey: String(key++), legs, stakeHundredths: 100 },
      worldNow,
    )
  ).reference;
};

/** What each kind of page reads, as its page.tsx does. */
const pages: Record<string, () => Promise<unknown>> = {
  home: () =>
    Promise.all([
      listTopTips(viewer, { until: daysAfter(worldNow, 1), limit: 8 }, worldNow),
      listMostPopular(viewer),
      listLatestTips(viewer, 8, worldNow),
    ]),
  sport: () => listFixtures(viewer, { sportId: 1, from: worldNow, until: daysAfter(worldNow, 7) }, worldNow),
  fixture: async () => {
    const fixture = await getFixtureDetail(viewer, athletic, worldNow);
    return Promise.all([
      listTipsOnFixture(viewer, fixture, 8, worldNow),
      getSideForm(viewer, fixture, worldNow),
      findLeagueTable(viewer, fixture),
    ]);
  },
  league: async () => {
    const league = await getLeague(viewer, 'football', 'england-northern-league');
    const season = (await findSeasonOf(viewer, league)) ?? '';
    return findLeagueTable(viewer, { league, sportReference: 'football', season });
  },
  'a coming match of the league': async () =>
    getSideForm(viewer, await getFixtureDetail(viewer, 'city-v-rovers-2026-03-14', worldNow), worldNow),
  'another fixture': async () => listTipsOnFixture(viewer, await getFixtureDetail(viewer, dons, worldNow), 8, worldNow),
  comparison: () => comparePortfolios(viewer, defaultComparisonFilter),
  profile: () =>
    Promise.all([
      getStatistics(viewer, shop.reference, { range: TimeRange.allTime }, worldNow),
      getProfitCurve(viewer, shop.reference, 'advised'),
      getRecentForm(viewer, shop.reference),
      listTips(viewer, shop.reference, { state: 'all', skip: 0 }, worldNow),
    ]),
  stats: () =>
    Promise.all([
      getMonthOverview(viewer, shop.reference, worldNow),
      getBreakdown(viewer, shop.reference, { kind: 'sport', range: TimeRange.allTime }, worldNow),
    ]),
  results: () => listTips(viewer, shop.reference, { state: 'settled', skip: 0 }, worldNow),
  'further tips': () => listTips(viewer, shop.reference, { state: 'all', skip: 20 }, worldNow),
  'further posts': () => listPosts(viewer, shop.reference, { skip: 20 }, worldNow),
  tip: () => getTip(viewer, shop.reference, tip, worldNow),
  'a tip that is not there': () => getTip(viewer, shop.reference, 'aaaaaaaaaa', worldNow).catch(() => null),
  record: () => Promise.all([listNewestEntries(25), getCheckpoints()]),
  'a tip on the record': () => proveTip(tip),
  'a tip that is not on the record': () => proveTip('aaaaaaaaaa').catch(() => null),
};

/** Which pages an event drops: read before it, and again, from the cache, to see that what was kept tells its tags as well. */
async function droppedBy(event: () => Promise<unknown>): Promise<string[]> {
  const read = async () =>
    Promise.all(
      Object.entries(pages).map(async ([name, body]) => {
        const reads = new Reads();
        await collectReads(reads, body);
        return { name, reads };
      }),
    );
  const before = [...(await read()), ...(await read())];
  expect(
    before
      .filter(({ reads }) => !reads.isCurrent || reads.tags.size === 0 || reads.expiresAt > performance.now() + 600_000)
      .map(({ name }) => name),
  ).toEqual([]);
  await event();
  const stale = before.filter(({ reads }) => !reads.isCurrent).map(({ name }) => name);
  const names = [...new Set(stale)];
  expect(stale.length).toBe(2 * names.length);
  return names.sort();
}

beforeAll(async () => {
  shop = await openShop('ann', { name: 'Ann Football' }, worldNow);
  tip = await publish();
});

const ofTheTipster = ['a tip that is not there', 'further posts', 'further tips', 'profile', 'results', 'stats', 'tip'];
const ofTheRecord = ['a tip on the record', 'a tip that is not on the record', 'record'];

test('a published tip drops every page of its tipster, the home page and the record', async () => {
  expect(await droppedBy(publish)).toEqual([...ofTheTipster, ...ofTheRecord, 'fixture', 'home'].sort());
});

test('a start drops the pages of the tips on it, and the lists of fixtures', async () => {
  expect(await droppedBy(() => closeMarkets(hoursLater(0)))).toEqual(['fixture', 'profile', 'sport', 'tip']);
});

test('a result drops the pages that show it before the tip is settled', async () => {
  const result = { home: 2, away: 0, halfTime: null };
  expect(
    await droppedBy(() =>
      importFixtures(
        [{ line: 1, fixture: match('Athletic', 'Wanderers', startsAt, { result }) }],
        'football-data',
        hoursLater(5),
      ),
    ),
  ).toEqual(['a coming match of the league', 'fixture', 'league', 'profile', 'sport', 'tip']);
});

test('a result that staff put right drops what a result drops', async () => {
  const { viewer: staff } = await openStaff('ada', Role.admin, worldNow);
  const order = { staff, reference: athletic, correction: { ...homeWin, reason: 'A goal less.', preview: false } };
  expect(await droppedBy(() => decidedAt(hoursLater(5.5), () => orderCorrection(order)))).toEqual([
    'a coming match of the league',
    'fixture',
    'league',
    'profile',
    'sport',
    'tip',
  ]);
});

test('a settled tip drops every page of its tipster, the home page, the comparison and the record', async () => {
  expect(await droppedBy(() => settleDueTips(hoursLater(6)))).toEqual(
    [...ofTheTipster, ...ofTheRecord, 'comparison', 'fixture', 'home'].sort(),
  );
});
