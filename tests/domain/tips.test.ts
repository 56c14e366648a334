import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { importFixtures } from '@/lib/fixtures/commands';
import { guest, member } from '@/lib/http/viewer';
import { database, transact } from '@/lib/platform/database';
import { abandonPortfolio, changePortfolio, changePortfolioByStaff } from '@/lib/portfolios/commands';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { publishPastTips } from '@/lib/tips/commands';
import { getTip, isOpenToAll, listTips } from '@/lib/tips/queries';
import { openStaff } from '../support/accounts';
import { standAt } from '../support/clock';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { join, offer, openShop, sellMonthly } from '../support/members';
import { openCommitments, publishTip, resettleCorrected, settleDueTips, signLedger } from '../support/moments';
import { scansDuring } from '../support/scans';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const start = new Date('2026-03-10T20:00:00.000Z');

async function shop() {
  return openShop('ann', { name: 'Ann Football' }, worldNow);
}

const tip = async (more: object = {}) => ({
  idempotencyKey: 'one',
  legs: [await offer(athletic, 'match-result', 'home', 'bet365')],
  stakeHundredths: 100,
  ...more,
});

async function finish(home: number, away: number, at: Date) {
  await importFixtures(
    [
      {
        line: 2,
        fixture: match('Athletic', 'Wanderers', start.toISOString(), { result: { home, away, halfTime: null } }),
      },
    ],
    'football-data',
    at,
  );
}

describe('publishing a tip', () => {
  test(
    'takes the price on offer, before the start, and puts it on the record',
    undone(async () => {
      const { owner, reference } = await shop();
      const published = await publishTip(owner, reference, await tip(), worldNow);
      const { rows } = await sql`select kind, portfolio, tip from ledger_entry`.execute(database());
      expect(rows).toEqual([{ kind: 'tip-published', portfolio: 'ann-football', tip: published.reference }]);
    }),
  );

  test(
    'is refused at the second of the start, and allowed a millisecond before',
    undone(async () => {
      const { owner, reference } = await shop();
      const given = await tip();
      await expect(publishTip(owner, reference, given, start)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('has started'),
      });
      await expect(publishTip(owner, reference, given, new Date(start.getTime() - 1))).resolves.toMatchObject({
        reference: expect.any(String),
      });
    }),
  );

  test(
    'answers a price that became shorter with the price now, and takes a longer one',
    undone(async () => {
      const { owner, reference } = await shop();
      const given = await tip();
      const at = '2026-03-10T11:00:00.000Z';
      await importFixtures(
        [
          {
            line: 2,
            fixture: match('Athletic', 'Wanderers', start.toISOString(), {
              markets: [matchResult('Athletic', 'Wanderers', at, { bet365: [2400, 3200, 3100] })],
            }),
          },
        ],
        'football-data',
        worldNow,
      );
      await expect(publishTip(owner, reference, given, worldNow)).rejects.toMatchObject({
        kind: 'conflict',
        details: { moved: [{ now: { oddsThousandths: 2400, fraction: null } }] },
      });
      await publishTip(owner, reference, { ...given, legs: [{ ...given.legs[0]!, oddsThousandths: 2300 }] }, worldNow);
      const { rows } = await sql`select odds_thousandths from tip_leg`.execute(database());
      expect(rows).toEqual([{ odds_thousandths: 2400 }]);
    }),
  );

  test(
    'publishes once for one idempotency key, and refuses the key for another tip',
    undone(async () => {
      const { owner, reference } = await shop();
      const first = await publishTip(owner, reference, await tip(), worldNow);
      expect(await publishTip(owner, reference, await tip(), new Date(worldNow.getTime() + 1000))).toEqual(first);
      await expect(publishTip(owner, reference, await tip({ stakeHundredths: 200 }), worldNow)).rejects.toMatchObject({
        kind: 'conflict',
      });
    }),
  );

  test.each([
    'update tip set stake_hundredths = 500',
    'delete from tip_leg',
    'truncate tip cascade',
    "update ledger_entry set entry = '{}'",
    'delete from ledger_node',
  ])('can never be undone in the database: %s', (statement) =>
    undone(async () => {
      const { owner, reference } = await shop();
      await publishTip(owner, reference, await tip(), worldNow);
      await expect(transact(() => sql.raw(statement).execute(database()))).rejects.toThrow('permission denied');
      await expect(transact(() => asOwner(sql.raw(statement)))).rejects.toThrow('never changed or deleted');
    })(),
  );
});

describe('a tip that was asked to be for members', () => {
  const seen = (viewer: Viewer, reference: string, published: string, now: Date) =>
    getTip(viewer, reference, published, now);
  const become = (id: number, visibility: PortfolioVisibility) =>
    sql`update portfolio set visibility = ${visibility} where id = ${id}`.execute(database());
  const analysis = 'The wind turns at noon.';

  test.each([
    ['public', PortfolioVisibility.public],
    ['hidden', PortfolioVisibility.hidden],
  ])(
    'by a %s portfolio is for everybody, and stays so when the portfolio turns premium, with a plan or without',
    (_, visibility) =>
      undone(async () => {
        const { owner, id, reference } = await openShop('ann', { name: 'Ann Football', visibility }, worldNow);
        const given = await tip({ free: false, analysis });
        const published = await publishTip(owner, reference, given, worldNow);
        expect(await publishTip(owner, reference, given, worldNow)).toEqual(published);
        const { rows } = await sql<{ entry: string }>`select entry from ledger_entry`.execute(database());
        expect(rows).toEqual([{ entry: expect.stringMatching(/"free":true/) }]);
        await become(id, PortfolioVisibility.premium);
        const open = { lock: null, analysis, legs: [{ fixtureReference: athletic }] };
        expect(await seen(guest(), reference, published.reference, worldNow)).toMatchObject(open);
        await sellMonthly(id, worldNow);
        for (const now of [worldNow, start])
          expect(await seen(guest(), reference, published.reference, now)).toMatchObject(open);
      })(),
  );

  test(
    'and hidden opens for everybody at the start, with its analysis',
    undone(async () => {
      const { owner, id, reference } = await shop();
      const published = await publishTip(
        owner,
        reference,
        await tip({ free: false, hidden: true, analysis }),
        worldNow,
      );
      await become(id, PortfolioVisibility.premium);
      expect(await seen(guest(), reference, published.reference, worldNow)).toMatchObject({
        lock: 'hidden',
        analysis: null,
        legs: [],
      });
      expect(await seen(guest(), reference, published.reference, start)).toMatchObject({ lock: null, analysis });
    }),
  );

  test(
    'stays locked when the plan that was on sale then is taken off sale',
    undone(async () => {
      const visibility = PortfolioVisibility.premium;
      const { owner, id, reference } = await openShop('ann', { name: 'Ann Football', visibility }, worldNow);
      const published = await publishTip(owner, reference, await tip({ free: false, analysis }), worldNow);
      await sql`update plan set on_sale = false where portfolio_id = ${id}`.execute(database());
      expect(await seen(guest(), reference, published.reference, worldNow)).toMatchObject({
        lock: 'members',
        legs: [],
      });
    }),
  );
});

describe('what was published for members', () => {
  const analysis = 'The wind turns at noon.';

  async function forMembers() {
    const visibility = PortfolioVisibility.premium;
    const { owner, id, reference } = await openShop('ann', { name: 'Ann Football', visibility }, worldNow);
    const published = await publishTip(owner, reference, await tip({ free: false, analysis }), worldNow);
    const { accountId } = await join('bob', worldNow);
    const paid = member({ accountId, role: Role.user, pro: false, owns: [], subscribes: [id] });
    const inTeam = member({ accountId, role: Role.user, pro: true, owns: [], subscribes: [], team: [id] });
    const ended = member({ accountId, role: Role.user, pro: false, owns: [], subscribes: [] });
    return { owner, id, reference, published: published.reference, paid, inTeam, ended };
  }

  const hide = async (reference: string) =>
    changePortfolioByStaff({
      ...{ staff: (await openStaff('ada', Role.admin, worldNow)).viewer, reference },
      ...{ action: 'portfolio.hide', reason: 'A test needs it.', preview: false },
    });

  test.each<[string, (shop: Awaited<ReturnType<typeof forMembers>>) => Promise<unknown>]>([
    ['staff hide its portfolio', ({ reference }) => hide(reference)],
    [
      'its owner hides its portfolio',
      ({ owner, reference }) =>
        changePortfolio(owner, { reference, visibility: PortfolioVisibility.hidden }, 'a', worldNow),
    ],
    ['its owner abandons its portfolio', ({ owner, reference }) => abandonPortfolio(owner, reference, 'a', worldNow)],
  ])('stays locked when %s', (_, change) =>
    undone(async () => {
      standAt(worldNow);
      const shop = await forMembers();
      await change(shop);
      const seen = async (viewer: Viewer, now: Date) => {
        const { items } = await listTips(viewer, shop.reference, { state: 'all', skip: 0 }, now);
        const one = await getTip(viewer, shop.reference, shop.published, now);
        expect(items).toEqual([one]);
        return [one.lock, one.legs.length, one.totalOddsThousandths !== null, one.analysis];
      };
      for (const viewer of [guest(), shop.ended]) {
        expect(await seen(viewer, worldNow)).toEqual(['members', 0, false, null]);
        // The record opens the legs then; what members paid for stays theirs.
        expect(await seen(viewer, start)).toEqual([null, 1, true, null]);
      }
      for (const viewer of [shop.owner, shop.paid, shop.inTeam])
        for (const now of [worldNow, start]) expect(await seen(viewer, now)).toEqual([null, 1, true, analysis]);
    })(),
  );

  test.each([
    [PortfolioVisibility.public, null],
    [PortfolioVisibility.premium, 'members'],
    [PortfolioVisibility.hidden, 'members'],
  ])('is locked in a portfolio of kind %s by one rule, here and in the database', (visibility, lock) =>
    undone(async () => {
      const { id, reference, published, owner } = await forMembers();
      const given = await tip({ idempotencyKey: 'two', free: true });
      const { reference: free } = await publishTip(owner, reference, given, worldNow);
      await sql`update portfolio set visibility = ${visibility} where id = ${id}`.execute(database());
      const { rows } = await sql<{ reference: string; isOpen: boolean }>`
        select tip.reference, ${isOpenToAll(worldNow)} as "isOpen" from tip join portfolio on portfolio.id = portfolio_id
      `.execute(database());
      expect(new Map(rows.map((row) => [row.reference, row.isOpen]))).toEqual(
        new Map([
          [published, lock === null],
          [free, true],
        ]),
      );
      expect((await getTip(guest(), reference, published, worldNow)).lock).toBe(lock);
    })(),
  );
});

describe('the tips of a portfolio', () => {
  test(
    'are read by the page, and those that are skipped are not computed',
    undone(async () => {
      const { owner, reference } = await shop();
      const { legs } = await tip();
      await publishPastTips(
        Array.from({ length: 45 }, (_, index) => ({
          viewer: owner,
          portfolioReference: reference,
          at: new Date(worldNow.getTime() + (index >> 1)),
          input: { idempotencyKey: `${index}`, legs, stakeHundredths: 100 },
        })),
      );
      const page = (skip: number) => listTips(guest(), reference, { state: 'all', skip }, start);
      const pages = [await page(0), await page(20), await page(40)];
      expect(pages.map(({ items, next }) => [items.length, next])).toEqual([
        [20, 20],
        [20, 40],
        [5, null],
      ]);
      const listed = pages.flatMap(({ items }) => items);
      expect(new Set(listed.map((each) => each.reference)).size).toBe(45);
      expect(listed.map(({ publishedAt }) => publishedAt)).toEqual(
        listed.map(({ publishedAt }) => publishedAt).toSorted((a, b) => b.localeCompare(a)),
      );
      expect(await scansDuring('tip_leg', () => page(20))).toBe(await scansDuring('tip_leg', () => page(0)));
    }),
  );
});

describe('settling tips', () => {
  const due = new Date('2026-03-11T01:00:00.000Z');

  test(
    'settles a due tip once, records it, and counts it in the statistics',
    undone(async () => {
      const { owner, reference } = await shop();
      await publishTip(owner, reference, await tip({ stakeHundredths: 200 }), worldNow);
      expect(await settleDueTips(due)).toBe(0);
      await finish(2, 0, due);
      const later = new Date(due.getTime() + 3_600_000);
      expect([await settleDueTips(later), await settleDueTips(later)]).toEqual([1, 0]);
      const { rows } =
        await sql`select tips, won, profit_advised, profit_level from portfolio_standing where sport_id = 1 and period = 6`.execute(
          database(),
        );
      expect(rows).toEqual([{ tips: 1, won: 1, profit_advised: 3, profit_level: 1.5 }]);
    }),
  );

  test(
    'settles anew when a result is corrected, as a new version with its reason',
    undone(async () => {
      const { owner, reference } = await shop();
      await publishTip(owner, reference, await tip(), worldNow);
      await finish(2, 0, due);
      await settleDueTips(due);
      await finish(2, 2, due);
      expect([await resettleCorrected(due), await resettleCorrected(due)]).toEqual([1, 0]);
      const { rows } =
        await sql`select version, outcome, reason is not null as explained from tip_settlement order by version`.execute(
          database(),
        );
      expect(rows).toEqual([
        { version: 1, outcome: 'won', explained: false },
        { version: 2, outcome: 'lost', explained: true },
      ]);
      const standing =
        await sql`select profit_advised from portfolio_standing where sport_id = 0 and period = 6`.execute(database());
      expect(standing.rows).toEqual([{ profit_advised: -1 }]);
    }),
  );

  test(
    'opens a hidden tip only after its start, and signs what was recorded',
    undone(async () => {
      const { owner, reference } = await shop();
      await publishTip(owner, reference, await tip({ hidden: true }), worldNow);
      expect(await openCommitments(worldNow)).toBe(0);
      expect(await openCommitments(start)).toBe(1);
      const { rows } = await sql`select kind from ledger_entry order by sequence`.execute(database());
      expect(rows).toEqual([{ kind: 'tip-committed' }, { kind: 'tip-opened' }]);
      expect(await signLedger(start)).toMatchObject({ sequence: 3, counted: true });
      expect(await signLedger(start)).toBeNull();
    }),
  );
});
