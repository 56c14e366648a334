import { guest } from '@/lib/http/viewer';
import { importFixtures } from '@/lib/fixtures/commands';
import { getFixtureDetail } from '@/lib/fixtures/queries';
import { daysAfter } from '@/lib/fixtures/rules';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { listOpenTipsOn, listTipsOnFixture } from '@/lib/tips/queries';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip, settleDueTips } from '../support/moments';
import { match, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const startsAt = '2026-03-10T20:00:00.000Z';
const after = (hours: number) => new Date(Date.parse(startsAt) + hours * 3_600_000);
const soon = new Date(worldNow.getTime() + 1_000);

type Options = { visibility?: PortfolioVisibility; hidden?: boolean; free?: boolean; key?: string; stake?: number };

/** A tipster of this name with a tip on tonight's match. */
async function tipOf(
  name: string,
  { visibility = PortfolioVisibility.public, key = 'home', stake = 100, ...more }: Options = {},
) {
  const shop = await openShop(name, { name: `${name} tips`, visibility }, worldNow);
  const legs = [await offer(athletic, 'match-result', key, 'bet365')];
  const { reference } = await publishTip(
    shop.owner,
    shop.reference,
    { idempotencyKey: name, legs, stakeHundredths: stake, ...more },
    worldNow,
  );
  return { ...shop, tip: reference };
}

const fixture = () => getFixtureDetail(guest(), athletic, worldNow);
const tipsAt = async (now: Date, limit = 8) => listTipsOnFixture(guest(), await fixture(), limit, now);

const played = (home: number, away: number) =>
  importFixtures(
    [{ line: 1, fixture: match('Athletic', 'Wanderers', startsAt, { result: { home, away, halfTime: null } }) }],
    'football-data',
    after(5),
  );

describe('the tips on a fixture', () => {
  test(
    'are those that everybody may read, with what they back; the locked are a number and nothing else',
    undone(async () => {
      const ann = await tipOf('ann');
      const bob = await tipOf('bob', { key: 'away' });
      await tipOf('cat', { key: 'home' });
      const hidden = await tipOf('dan', { hidden: true, key: 'draw' });
      const members = await tipOf('eve', { visibility: PortfolioVisibility.premium, free: false, key: 'draw' });
      const found = await tipsAt(soon);
      expect(new Set(found.items.map(({ tip }) => tip.portfolioReference)).size).toBe(3);
      expect(found).toMatchObject({ open: 3, hidden: 1, members: 1, came: null });
      expect(found.markets).toEqual([
        {
          name: 'Match result',
          tips: 3,
          selections: [
            { selectionId: expect.any(Number), name: 'Athletic', tips: 2 },
            { selectionId: expect.any(Number), name: 'Wanderers', tips: 1 },
          ],
        },
      ]);
      const text = JSON.stringify(found);
      for (const locked of [hidden, members])
        for (const secret of [locked.tip, locked.reference]) expect(text).not.toContain(secret);
      expect(text).not.toContain('Draw');
      expect(text).toContain(ann.tip);
      expect(text).toContain(bob.tip);
    }),
  );

  test(
    'open at the start, and leave out what nobody may find',
    undone(async () => {
      await tipOf('dan', { hidden: true });
      await tipOf('eve', { visibility: PortfolioVisibility.premium, free: false });
      await tipOf('fay', { visibility: PortfolioVisibility.hidden });
      await tipOf('gus', { visibility: PortfolioVisibility.personal });
      expect(await tipsAt(soon)).toMatchObject({ items: [], open: 0, hidden: 1, members: 1 });
      expect(await tipsAt(new Date(startsAt), 7)).toMatchObject({ open: 2, hidden: 0, members: 0 });
    }),
  );

  test(
    'are listed so many at once, and counted whole',
    undone(async () => {
      for (const name of ['ann', 'bob', 'cat']) await tipOf(name);
      const found = await tipsAt(soon, 2);
      expect([found.items.length, found.open, found.markets[0]?.tips]).toEqual([2, 3, 3]);
    }),
  );

  test(
    'tell after the result how they did: legs by outcome, profit of the singles at advised stakes',
    undone(async () => {
      await tipOf('ann', { stake: 200 });
      await tipOf('bob', { key: 'away' });
      await played(2, 0);
      await settleDueTips(after(6));
      const { came, items } = await tipsAt(after(6), 6);
      expect(came).toEqual({
        settled: 2,
        won: 1,
        lost: 1,
        void: 0,
        singles: 2,
        stakedHundredths: 300,
        // 2 units at 2.50 won, 1 lost.
        profitHundredths: 200,
      });
      expect(items.map(({ tip }) => tip.settlements[0]?.outcome).sort()).toEqual(['lost', 'won']);
    }),
  );

  test(
    'of several fixtures are those that are still open, each once',
    undone(async () => {
      const { tip } = await tipOf('ann');
      const { id, reference } = await fixture();
      const list = (now: Date, limit: number) => listOpenTipsOn(guest(), [{ id, reference }], limit, now);
      expect((await list(soon, 5)).map((each) => each.tip.reference)).toEqual([tip]);
      expect(await list(daysAfter(soon, 1), 4)).toEqual([]);
    }),
  );
});
