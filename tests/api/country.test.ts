import { sql } from 'kysely';
import type { BestOdds } from '@/lib/fixtures/schema';
import { forget } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import type { TipPrices } from '@/lib/tips/schema';
import { bearer, logIn, openAccount } from '../support/accounts';
import { standAt } from '../support/clock';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { describeCall } from '../support/request';
import { guestFrom } from '../support/viewer';
import { worldNow } from '../support/world';

onTestDatabase();

let american: Record<string, string> = {};
let fixtureId = 0;

beforeAll(async () => {
  standAt(worldNow);
  const us = guestFrom('US').countryId;
  const id = await openAccount('amy', { confirmed: true }, worldNow);
  await sql`update account set country_id = ${us} where id = ${id}`.execute(database());
  american = bearer(await logIn(id, worldNow));
  await asOwner(sql`update bookmaker set markets_country_block = ${[us]}::int[] where reference = 'bet365'`);
  await asOwner(sql`update bookmaker set add_tips_country_block = ${[us]}::int[] where reference = 'coral'`);
  await forget(['bookmakers']);
  const { rows } = await sql<{
    id: number;
  }>`select id from fixture where reference = 'athletic-v-wanderers-2026-03-10'`.execute(database());
  fixtureId = rows[0]?.id ?? 0;
});

describeCall('/best-odds', 'GET', (ask) => {
  const bestFor = async (headers: Record<string, string>) => {
    const { status, view } = await ask({ headers, query: { fixtures: `${fixtureId},999999999` } });
    expect(status).toBe(200);
    const { fixtures } = view as { fixtures: { id: number; bestOdds: BestOdds[] }[] };
    expect(fixtures.map(({ id }) => id)).toEqual([fixtureId]);
    return fixtures[0]?.bestOdds.map(({ key, price, bookmakerName }) => [key, price.oddsThousandths, bookmakerName]);
  };

  test('gives the best prices of the bookmakers that serve the country of whoever asks', async () => {
    expect(await bestFor({})).toEqual([
      ['home', 2500, 'bet365'],
      ['draw', 3250, 'Coral'],
      ['away', 3000, 'Coral'],
    ]);
    expect(await bestFor(american)).toEqual([
      ['home', 2450, 'Coral'],
      ['draw', 3250, 'Coral'],
      ['away', 3000, 'Coral'],
    ]);
  });

  test.each(['', 'one', '1,', '1,,2', '-1', '1e3', '1234567890', Array(101).fill('1').join()])(
    'refuses %j as fixtures',
    async (fixtures) => {
      const { status, refusal } = await ask({ query: { fixtures } });
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['fixtures']]);
    },
  );
});

describeCall('/best-odds/tips', 'GET', (ask) => {
  test('gives the best price of an open tip at the bookmakers of the country of whoever asks, and whether it has gone', () =>
    undone(async () => {
      const { owner, reference } = await openShop('ann', { name: 'Ann Football' }, worldNow);
      const published = await publishTip(
        owner,
        reference,
        {
          idempotencyKey: 'one',
          legs: [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')],
          stakeHundredths: 100,
          minPrice: { oddsThousandths: 2500, fraction: null },
        },
        worldNow,
      );
      const pricesFor = async (headers: Record<string, string>) => {
        const { status, view } = await ask({ headers, query: { tips: `${published.reference},aaaaaaaaaa` } });
        expect(status).toBe(200);
        return (view as TipPrices).tips.map(({ reference: own, best, isGone, legs }) => [
          own,
          best?.oddsThousandths,
          isGone,
          legs.map((leg) => leg?.bookmakerName),
        ]);
      };
      expect(await pricesFor({})).toEqual([[published.reference, 2500, false, ['bet365']]]);
      expect(await pricesFor(american)).toEqual([[published.reference, 2450, true, ['Coral']]]);
    })());

  test.each(['', 'short', 'ABCDEFGHIJ', 'aaaaaaaaaa,', Array(51).fill('aaaaaaaaaa').join()])(
    'refuses %j as tips',
    async (tips) => {
      const { status, refusal } = await ask({ query: { tips } });
      expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, ['tips']]);
    },
  );
});

describeCall('/user/bookmakers', 'GET', (ask) => {
  test('says which bookmakers serve the country of the member, for each purpose', async () => {
    const { status, view } = await ask({ headers: american });
    expect(status).toBe(200);
    const { bookmakers } = view as { bookmakers: { reference: string }[] };
    expect(bookmakers.filter(({ reference }) => ['bet365', 'coral'].includes(reference))).toEqual([
      { id: 101, reference: 'bet365', markets: false, liveOdds: true, addTips: true },
      { id: expect.any(Number), reference: 'coral', markets: true, liveOdds: true, addTips: false },
    ]);
  });

  test('is for members', async () => {
    expect((await ask()).status).toBe(401);
  });
});
