import { sql } from 'kysely';
import { closeMarkets } from '@/lib/fixtures/commands';
import { readMarketPrices } from '@/lib/fixtures/queries';
import { database } from '@/lib/platform/database';
import { runRace } from '../support/bets';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { countQueries } from '../support/queries';
import { randomFrom } from '../support/random-tips';

onTestDatabase();

const start = Date.parse('2026-03-10T20:00:00.000Z');
const at = (minutes: number) => new Date(start + minutes * 60_000);

type Row = { selectionId: number; bookmakerId: number; at: Date; odds: number | null };

async function selectionsOf(fixture: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select selection.id from selection join market on market.id = market_id join fixture on fixture.id = fixture_id where fixture.reference = ${fixture} order by selection.id
  `.execute(database());
  return rows.map(({ id }) => id);
}

async function addHistory(rows: readonly Row[]): Promise<void> {
  await sql`
    insert into price_change (selection_id, bookmaker_id, at, time_known, odds_thousandths)
    select selection_id, bookmaker_id, at, true, odds from unnest(${rows.map((row) => row.selectionId)}::int[], ${rows.map((row) => row.bookmakerId)}::int[],
      ${rows.map((row) => row.at)}::timestamptz[], ${rows.map((row) => row.odds)}::int[]) as t (selection_id, bookmaker_id, at, odds) on conflict do nothing
  `.execute(database());
}

/** What one question to the price history says: the longest of each usable bookmaker's last odds at a moment. */
async function bestOf(selectionId: number, moment: Date): Promise<number | null> {
  const { rows } = await sql<{ odds: number | null }>`
    select max(odds_thousandths) as odds from (
      select distinct on (bookmaker_id) odds_thousandths from price_change join bookmaker on bookmaker.id = bookmaker_id
      where selection_id = ${selectionId} and at <= ${moment} and show_on_add_tips order by bookmaker_id, at desc) newest
  `.execute(database());
  return rows[0]?.odds ?? null;
}

async function randomHistory(seed: number, changes: number) {
  const random = randomFrom(seed);
  const selectionIds = await selectionsOf('athletic-v-wanderers-2026-03-10');
  const { rows: books } = await sql<{ id: number }>`select id from bookmaker order by id limit 8`.execute(database());
  const rows: Row[] = [];
  for (const selectionId of selectionIds) {
    for (let index = 0; index < changes; index += 1) {
      const bookmakerId = books[Math.floor(random() * books.length)]?.id ?? 0;
      rows.push({
        selectionId,
        bookmakerId,
        at: at(-Math.floor(random() * 600) + 60),
        odds: random() < 0.2 ? null : 1500 + Math.floor(random() * 2000),
      });
    }
  }
  await addHistory(rows);
  return { random, selectionIds };
}

describe('the prices that the market offered', () => {
  test(
    'a follower are those that the price history gives at each moment, of bookmakers that tips may be made at',
    undone(async () => {
      const { random, selectionIds } = await randomHistory(77, 80);
      await asOwner(
        sql`update bookmaker set show_on_add_tips = false where id in (select id from bookmaker order by id limit 2)`,
      );
      const legs = Array.from({ length: 40 }, () => ({
        selectionId: selectionIds[Math.floor(random() * selectionIds.length)] ?? 0,
        bookmakerId: null,
        publishedAt: at(-Math.floor(random() * 500) - 1),
        startsAt: at(-Math.floor(random() * 2) * 30),
      }));
      const read = await readMarketPrices(legs);
      let counted = 0;
      for (const [index, { selectionId, publishedAt, startsAt }] of legs.entries()) {
        const followers = read[index]?.followers;
        for (const [name, minutes] of [
          ['after5', 5],
          ['after15', 15],
          ['after60', 60],
        ] as const) {
          const moment = new Date(publishedAt.getTime() + minutes * 60_000);
          const expected = moment < startsAt ? await bestOf(selectionId, moment) : null;
          expect(followers?.[name]?.oddsThousandths ?? null).toBe(expected);
          if (expected !== null) counted += 1;
        }
        expect(followers?.close?.oddsThousandths ?? null).toBe(await bestOf(selectionId, startsAt));
      }
      expect(counted).toBeGreaterThan(80);
    }),
  );

  test(
    'are read for a thousand legs in as many questions as for one',
    undone(async () => {
      const { random, selectionIds } = await randomHistory(78, 60);
      const leg = () => ({
        selectionId: selectionIds[Math.floor(random() * selectionIds.length)] ?? 0,
        bookmakerId: 1,
        publishedAt: at(-Math.floor(random() * 500) - 1),
        startsAt: at(0),
      });
      const one = await countQueries(() => readMarketPrices([leg()]));
      const thousand = await countQueries(() => readMarketPrices(Array.from({ length: 1000 }, leg)));
      expect(thousand).toBe(one);
      expect(one).toBeLessThan(5);
    }),
  );

  test(
    'have no fair odds where one that wins keeps no other from it, and leave out who was withdrawn',
    undone(async () => {
      const read = async () => {
        const { rows } = await sql<{ key: string; selectionId: number }>`
          select key, selection.id as "selectionId" from selection join market on market.id = market_id join fixture on fixture.id = fixture_id where fixture.reference = 'ayr-2026-03-10-2000' order by position
        `.execute(database());
        const legs = rows.map(({ selectionId }) => ({
          selectionId,
          bookmakerId: 1,
          publishedAt: at(-60),
          startsAt: at(0),
        }));
        return (await readMarketPrices(legs)).map(({ fairClosing }) =>
          fairClosing ? Number(fairClosing.numerator) / Number(fairClosing.denominator) : null,
        );
      };
      await runRace(at(-600));
      await closeMarkets(at(0));
      // Eight at 9.0 are a book of 8 / 9.
      expect(await read()).toEqual(Array.from({ length: 8 }, () => expect.closeTo(8, 9) as unknown));
      await sql`update runner set withdrawn_at = ${at(-60)} where position < 2`.execute(database());
      expect(await read()).toEqual([null, null, ...Array.from({ length: 6 }, () => expect.closeTo(6, 9) as unknown)]);
      await asOwner(sql`update market set kind = 'scorer' where kind = 'outright-winner'`, { unguarded: 'market' });
      expect(await read()).toEqual(Array.from({ length: 8 }, () => null));
    }),
  );

  test('are a closing price and fair odds where the market closed, and nothing where it did not', async () => {
    const { rows } = await sql<{ selectionId: number; bookmakerId: number; key: string }>`
      select selection.id as "selectionId", bookmaker.id as "bookmakerId", selection.key from selection join market on market.id = market_id join fixture on fixture.id = fixture_id
      cross join bookmaker where fixture.reference = 'rovers-v-town-2026-03-07' and kind = 'match-result' and bookmaker.reference in ('bet365', 'coral') order by selection.position, bookmaker.reference
    `.execute(database());
    const startsAt = new Date('2026-03-07T15:00:00.000Z');
    const read = await readMarketPrices(
      rows.map(({ selectionId, bookmakerId }) => ({
        selectionId,
        bookmakerId,
        publishedAt: new Date('2026-03-07T12:00:00.000Z'),
        startsAt,
      })),
    );
    expect(read.map(({ closing }) => closing?.oddsThousandths ?? null)).toEqual([1850, null, 3500, null, 4200, null]);
    // The means of bet365 and Pinnacle at the close, 1.87, 3.55 and 4.25, with the margin of their inverses taken out in proportion.
    const margin = 1 / 1.87 + 1 / 3.55 + 1 / 4.25;
    const fair = read.map(({ fairClosing }) => Number(fairClosing?.numerator) / Number(fairClosing?.denominator));
    [1.87, 1.87, 3.55, 3.55, 4.25, 4.25].forEach((odds, index) => expect(fair[index]).toBeCloseTo(odds * margin, 9));
    expect(read[0]?.followers).toMatchObject({ after5: { oddsThousandths: 1950 }, close: { oddsThousandths: 1900 } });
    const [open = 0] = await selectionsOf('athletic-v-wanderers-2026-03-10');
    expect(
      await readMarketPrices([{ selectionId: open, bookmakerId: 1, publishedAt: at(-60), startsAt: at(0) }]),
    ).toMatchObject([{ closing: null, fairClosing: null }]);
  });
});
