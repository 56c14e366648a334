import { sql } from 'kysely';
import { listTipLegs } from '@/lib/bets/queries';
import { importFixtures } from '@/lib/fixtures/commands';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { listEntries } from '@/lib/record/queries';
import { getTip, listTipPrices } from '@/lib/tips/queries';
import { onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { openCommitments, publishTip } from '../support/moments';
import { match, matchResult, worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
const start = new Date('2026-03-10T20:00:00.000Z');
const price = (oddsThousandths: number) => ({ oddsThousandths, fraction: null });

const publish = async (more: object) => {
  const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
  const tip = await publishTip(
    owner,
    reference,
    { idempotencyKey: 'one', legs, stakeHundredths: 100, ...more },
    worldNow,
  );
  return { owner, portfolio: reference, tip: tip.reference };
};

async function shorten(home: Record<string, [number, number, number]>) {
  const at = '2026-03-10T12:00:30.000Z';
  await importFixtures(
    [
      {
        line: 2,
        fixture: match('Athletic', 'Wanderers', start.toISOString(), {
          markets: [matchResult('Athletic', 'Wanderers', at, home)],
        }),
      },
    ],
    'football-data',
    new Date(at),
  );
}

test(
  'a least price is sealed with the tip, shown, and marked as gone once the best price is below it',
  undone(async () => {
    const { portfolio, tip } = await publish({ minPrice: price(2500) });
    const entries = await listEntries({ after: 0, limit: 10 });
    expect(entries.items[0]).toMatchObject({ kind: 'tip-published', content: { minPrice: price(2500) } });
    const shown = await getTip(guest(), portfolio, tip, worldNow);
    expect([shown.minPrice, shown.legs[0]?.bestNow]).toEqual([
      price(2500),
      { price: price(2500), bookmakerName: 'bet365' },
    ]);
    expect((await listTipPrices(guest(), [tip], worldNow)).tips).toMatchObject([{ reference: tip, isGone: false }]);

    await shorten({ bet365: [2400, 3200, 3100], coral: [2450, 3200, 3100] });
    expect((await listTipPrices(guest(), [tip], worldNow)).tips).toEqual([
      {
        reference: tip,
        best: price(2450),
        totalThousandths: 2450,
        minPrice: price(2500),
        isGone: true,
        legs: [{ price: price(2450), bookmakerName: 'Coral' }],
      },
    ]);
    expect((await listTipPrices(guest(), [tip], start)).tips).toEqual([]);
    expect((await getTip(guest(), portfolio, tip, start)).legs[0]?.bestNow).toBeNull();
  }),
);

test(
  'a least price above the price taken is refused with the highest that can stand, and nothing is published',
  undone(async () => {
    await expect(publish({ minPrice: price(2510) })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { minPrice: expect.stringContaining('Enter 2.50 or less') as string },
    });
    const { rows } = await sql`select from tip`.execute(database());
    expect(rows).toHaveLength(0);
  }),
);

test(
  'of a hidden tip it is not told before the start, and opens with it',
  undone(async () => {
    const { owner, portfolio, tip } = await publish({ minPrice: price(2300), hidden: true });
    expect(await getTip(guest(), portfolio, tip, worldNow)).toMatchObject({ lock: 'hidden', minPrice: null });
    expect((await listTipPrices(guest(), [tip], worldNow)).tips).toEqual([]);
    expect(JSON.stringify(await listEntries({ after: 0, limit: 10 }))).not.toContain('minPrice');
    expect(await getTip(owner, portfolio, tip, worldNow)).toMatchObject({ lock: null, minPrice: price(2300) });
    await openCommitments(start);
    const { items: entries } = await listEntries({ after: 0, limit: 10 });
    expect(entries.at(-1)).toMatchObject({ kind: 'tip-opened', content: { publication: { minPrice: price(2300) } } });
  }),
);

test(
  'its legs come into the slip with it, and without one they say nothing of it',
  undone(async () => {
    const { portfolio, tip } = await publish({ minPrice: price(2300) });
    expect(await listTipLegs(guest(), portfolio, tip, worldNow)).toMatchObject([
      { ofTip: { reference: tip, legs: 1, minPrice: price(2300) } },
    ]);
  }),
);

test(
  'a tip without one is sealed as before',
  undone(async () => {
    const { portfolio, tip } = await publish({});
    const { items: entries } = await listEntries({ after: 0, limit: 10 });
    expect(Object.keys(entries[0] && 'content' in entries[0] ? entries[0].content : {}).sort()).toEqual(
      ['analysisHash', 'eachWay', 'free', 'legs', 'stakeHundredths'].sort(),
    );
    expect((await getTip(guest(), portfolio, tip, worldNow)).minPrice).toBeNull();
    expect((await listTipLegs(guest(), portfolio, tip, worldNow))[0]).not.toHaveProperty('ofTip');
  }),
);
