import fc from 'fast-check';
import { sql } from 'kysely';
import type { FeedFixture, FeedMarket, FeedPrice, WholeOffer } from '@/lib/fixtures/schema';
import type { Price } from '@/lib/odds/schema';
import { database, transact } from '@/lib/platform/database';
import { undone, onTestDatabase } from '../support/database';
import { everything, importAll, storedPrice } from '../support/import';
import { match, matchResult } from '../support/world';

onTestDatabase();

const start = '2026-03-21T15:00:00.000Z';
const reference = 'swifts-v-dons-2026-03-21';
const before = (hours: number) => new Date(Date.parse(start) - hours * 3_600_000).toISOString();

/** Swifts v Dons with prices on the home win alone. */
const fixture = (prices: readonly FeedPrice[]) => match('Swifts', 'Dons', start, { markets: [market(prices)] });

const market = (prices: readonly FeedPrice[]): FeedMarket => ({
  ...{ kind: 'match-result', lineHundredths: 0, period: 'full-time', includesOvertime: false },
  selections: [{ key: 'home', name: 'Swifts', prices: [...prices] }],
});

const at = (moment: string, oddsThousandths: number, more: Partial<FeedPrice> = {}): FeedPrice => ({
  ...{
    bookmakerReference: 'bet365',
    price: { oddsThousandths, fraction: null },
    at: moment,
    timeKnown: true,
    closing: false,
  },
  ...more,
});

type Change = { at: string; odds: number | null };

async function history(bookmaker = 'bet365'): Promise<Change[]> {
  const { rows } = await sql<{ at: Date; odds: number | null }>`
    select at, odds_thousandths as odds from price_change join bookmaker on bookmaker.id = bookmaker_id
    join selection on selection.id = selection_id join market on market.id = market_id join fixture on fixture.id = fixture_id
    where fixture.reference = ${reference} and bookmaker.reference = ${bookmaker} order by at
  `.execute(database());
  return rows.map((row) => ({ at: row.at.toISOString(), odds: row.odds }));
}

describe('the price history', () => {
  test(
    'grows with each new moment; opening is the first, present the last, and nothing recorded changes',
    undone(async () => {
      await importAll([fixture([at(before(24), 2000)])]);
      expect(await storedPrice(reference, 'home', 'bet365')).toEqual({ now: 2000, opening: 2000, closing: null });
      expect((await importAll([fixture([at(before(12), 2100)])])).prices).toBe(1);
      expect(
        (await importAll([fixture([at(before(24), 2000), at(before(12), 2100), at(before(6), 1900)])])).prices,
      ).toBe(1);
      expect(await history()).toEqual([
        { at: before(24), odds: 2000 },
        { at: before(12), odds: 2100 },
        { at: before(6), odds: 1900 },
      ]);
      expect(await storedPrice(reference, 'home', 'bet365')).toEqual({ now: 1900, opening: 2000, closing: null });
    }),
  );

  test(
    'does not grow by a price that is asked for again and is as it was',
    undone(async () => {
      await importAll([fixture([at(before(24), 2000)])]);
      expect(await importAll([fixture([at(before(12), 2000)])])).toMatchObject({
        prices: 0,
        unchanged: 1,
        rejections: [],
      });
      await importAll([fixture([at(before(6), 2100)])]);
      await importAll([fixture([at(before(3), 2000)])]);
      expect(await history()).toEqual([
        { at: before(24), odds: 2000 },
        { at: before(6), odds: 2100 },
        { at: before(3), odds: 2000 },
      ]);
    }),
  );

  describe('of a file that gives no times', () => {
    const told = (hours: number, oddsThousandths: number) =>
      fixture([at(before(hours), oddsThousandths, { timeKnown: false })]);
    const read = (hours: number, given: FeedFixture) => importAll([given], 'football-data', new Date(before(hours)));

    test(
      'does not grow by the same file, however late it is read',
      undone(async () => {
        await read(90, told(96, 2000));
        expect(await read(10, told(24, 2000))).toMatchObject({ prices: 0, changed: 0, unchanged: 1, rejections: [] });
        expect(await history()).toEqual([{ at: before(96), odds: 2000 }]);
        expect(await read(5, told(24, 2100))).toMatchObject({ prices: 1 });
        expect(await history()).toEqual([
          { at: before(96), odds: 2000 },
          { at: before(24), odds: 2100 },
        ]);
      }),
    );

    test(
      'has a newer file’s price at the moment when it is read where its own is taken, once, and not the older one’s again',
      undone(async () => {
        await read(23, told(24, 2000));
        expect(await read(20, told(24, 2100))).toMatchObject({ prices: 1, rejections: [] });
        for (const hours of [19, 18]) {
          expect(await read(hours, told(24, 2100))).toMatchObject({ prices: 0, rejections: [] });
          expect(await read(hours, told(24, 2000))).toMatchObject({ prices: 0, rejections: [] });
        }
        expect(await history()).toEqual([
          { at: before(24), odds: 2000 },
          { at: before(20), odds: 2100 },
        ]);
        expect(await storedPrice(reference, 'home', 'bet365')).toMatchObject({ now: 2100 });
      }),
    );

    test(
      'brings back no price that a source with times has changed since',
      undone(async () => {
        await read(90, told(96, 2200));
        await importAll([fixture([at(before(48), 1800)])], 'another');
        expect(await read(10, told(24, 2200))).toMatchObject({ prices: 0 });
        await importAll([fixture([at(before(9), 1810)])], 'another');
        await read(8, told(24, 2300));
        expect((await read(7, told(24, 2400))).rejections).toHaveLength(1);
        expect(await storedPrice(reference, 'home', 'bet365')).toMatchObject({ now: 1810 });
      }),
    );

    test(
      'keeps the first of two prices of a match that is over',
      undone(async () => {
        await read(20, told(24, 2000));
        expect((await read(-48, told(24, 2100))).rejections).toHaveLength(1);
        expect(await history()).toEqual([{ at: before(24), odds: 2000 }]);
      }),
    );
  });

  test(
    'keeps that a price was pulled and came back; while it is pulled the last one stands, marked',
    undone(async () => {
      const pulled = async () =>
        (
          await sql<{
            pulled: Date | null;
          }>`select pulled_at as pulled from price order by selection_id desc limit 1`.execute(database())
        ).rows[0]?.pulled;
      await importAll([fixture([at(before(24), 2000)])]);
      await importAll([fixture([at(before(12), 0, { price: null })])]);
      expect([await storedPrice(reference, 'home', 'bet365'), await pulled()]).toEqual([
        { now: 2000, opening: 2000, closing: null },
        new Date(before(12)),
      ]);
      await importAll([fixture([at(before(6), 2000)])]);
      expect([await storedPrice(reference, 'home', 'bet365'), await pulled()]).toEqual([
        { now: 2000, opening: 2000, closing: null },
        null,
      ]);
      expect(await history()).toEqual([
        { at: before(24), odds: 2000 },
        { at: before(12), odds: null },
        { at: before(6), odds: 2000 },
      ]);
    }),
  );

  test(
    'takes an earlier moment that comes late for the opening price, and leaves the present one',
    undone(async () => {
      await importAll([fixture([at(before(6), 1900)])]);
      await importAll([fixture([at(before(24), 2000)])]);
      expect(await storedPrice(reference, 'home', 'bet365')).toEqual({ now: 1900, opening: 2000, closing: null });
      await importAll([fixture([at(before(12), 2500)])]);
      expect(await storedPrice(reference, 'home', 'bet365')).toEqual({ now: 1900, opening: 2000, closing: null });
    }),
  );

  test(
    'keeps each bookmaker and each selection apart',
    undone(async () => {
      await importAll([
        match('Swifts', 'Dons', start, {
          markets: [
            matchResult('Swifts', 'Dons', before(9), { bet365: [2000, 3000, 4000], coral: [2100, 3100, 4100] }),
          ],
        }),
      ]);
      expect(await storedPrice(reference, 'home', 'bet365')).toMatchObject({ now: 2000 });
      expect(await storedPrice(reference, 'away', 'bet365')).toMatchObject({ now: 4000 });
      expect(await storedPrice(reference, 'away', 'coral')).toMatchObject({ now: 4100 });
    }),
  );

  test(
    'keeps the fraction that a price was quoted as, through opening and closing',
    undone(async () => {
      const quoted = (numerator: number, denominator: number): Price => ({
        oddsThousandths: Math.round(1000 + (1000 * numerator) / denominator),
        fraction: { numerator, denominator },
      });
      await importAll([
        fixture([at(before(9), 0, { price: quoted(10, 11) }), at(start, 0, { price: quoted(4, 6), closing: true })]),
      ]);
      const { rows } = await sql`
        select price.numerator, price.denominator, opening_numerator, opening_denominator, closing_numerator, closing_denominator
        from price join selection on selection.id = selection_id join market on market.id = market_id join fixture on fixture.id = fixture_id where fixture.reference = ${reference}
      `.execute(database());
      expect(rows).toEqual([
        {
          numerator: 4,
          denominator: 6,
          opening_numerator: 10,
          opening_denominator: 11,
          closing_numerator: 4,
          closing_denominator: 6,
        },
      ]);
    }),
  );

  test('gives the same stored price whatever the order in which its moments come in', async () => {
    // The odds differ: a price that is asked for again and as it was is no change, and whether it is one then depends on the order.
    const distinct = (min: number, max: number) =>
      fc.uniqueArray(fc.integer({ min, max }), { minLength: 6, maxLength: 6 });
    const moments = fc
      .tuple(distinct(0, 40), distinct(1001, 1_000_000), fc.integer({ min: 1, max: 6 }))
      .map(([hours, odds, count]) =>
        hours.slice(0, count).map((each, index) => ({ hours: each, odds: odds[index] ?? 0 })),
      );
    await fc.assert(
      fc.asyncProperty(moments, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (chosen, keys) =>
        undone(async () => {
          const inAnyOrder = chosen
            .map((moment, index) => ({ moment, key: keys[index] ?? 0 }))
            .sort((a, b) => a.key - b.key);
          for (const { moment } of inAnyOrder)
            await importAll([fixture([at(before(moment.hours), moment.odds, { closing: moment.hours === 0 })])]);
          const inTime = chosen.toSorted((a, b) => b.hours - a.hours);
          expect(await history()).toEqual(inTime.map(({ hours, odds }) => ({ at: before(hours), odds })));
          const last = inTime.at(-1);
          expect(await storedPrice(reference, 'home', 'bet365')).toEqual({
            now: last?.odds,
            opening: inTime[0]?.odds,
            closing: last?.hours === 0 ? last.odds : null,
          });
        })(),
      ),
      { numRuns: 15 },
    );
  });
});

describe('a price that contradicts one recorded for the same moment', () => {
  test(
    'is reported with its line, its bookmaker and both prices, and the first one stays',
    undone(async () => {
      await importAll([fixture([at(before(9), 2000)])]);
      const kept = await everything();
      expect(
        await importAll([match('Dons', 'Swifts', '2026-03-11T19:45:00.000Z'), fixture([at(before(9), 2050)])]),
      ).toMatchObject({
        prices: 0,
        rejections: [
          {
            line: 3,
            column: null,
            reason: 'bet365 on Swifts: 2.05 differs from 2, recorded earlier for the same moment; the first one stays.',
          },
        ],
      });
      expect((await everything()).price_change).toEqual(kept.price_change);
      expect((await everything()).price).toEqual(kept.price);
    }),
  );

  test(
    'within one batch is reported too',
    undone(async () => {
      expect(await importAll([fixture([at(before(9), 2000), at(before(9), 2050), at(before(9), 2000)])])).toMatchObject(
        {
          prices: 1,
          rejections: [expect.objectContaining({ reason: expect.stringContaining('2.05 differs from 2,') })],
        },
      );
      expect(await history()).toEqual([{ at: before(9), odds: 2000 }]);
    }),
  );

  test(
    'does not keep the others of its batch out, and the same moment spelt otherwise is the same moment',
    undone(async () => {
      await importAll([fixture([at(before(9), 2000)])]);
      const summary = await importAll([
        fixture([
          at(before(9).replace('.000Z', '+00:00'), 2050),
          at(before(8), 2100),
          at(before(9), 1990, { bookmakerReference: 'coral' }),
        ]),
      ]);
      expect([summary.prices, summary.rejections.length]).toEqual([2, 1]);
      expect(await history()).toHaveLength(2);
    }),
  );
});

describe('a price of a bookmaker that nobody knows', () => {
  test(
    'is left out and reported; the others of its selection are kept',
    undone(async () => {
      expect(
        await importAll([fixture([at(before(9), 2000, { bookmakerReference: 'nobody' }), at(before(9), 2100)])]),
      ).toMatchObject({
        created: 1,
        prices: 1,
        rejections: [{ line: 2, column: null, reason: 'The bookmaker nobody is not known; its price was left out.' }],
      });
      expect(await storedPrice(reference, 'home', 'bet365')).toMatchObject({ now: 2100 });
    }),
  );
});

describe('a source that gives whole offers', () => {
  const source = 'the-odds-api';
  const moment = (hours: number) => new Date(before(hours));
  const total = (lineHundredths: number, prices: readonly FeedPrice[]): FeedMarket => ({
    ...{ kind: 'total', lineHundredths, period: 'full-time', includesOvertime: false },
    selections: [{ key: 'over', name: `Over ${lineHundredths / 100}`, prices: [...prices] }],
  });
  const whole = (...bookmakers: string[]): WholeOffer[] =>
    bookmakers.map((bookmakerReference) => ({ bookmakerReference, kinds: ['match-result', 'total'] }));
  const told = (hours: number, markets: FeedMarket[], offers = whole('bet365', 'coral'), begun = hours) =>
    importAll(
      [match('Swifts', 'Dons', start, { sourceId: 'e1', markets, wholeOffers: { at: before(hours), offers } })],
      source,
      moment(begun),
    );
  const offers = async () => {
    const { rows } = await sql<{ offer: string }>`
      select concat_ws(' ', bookmaker.reference, key, line_hundredths, odds_thousandths, case when pulled_at is not null then 'pulled' end) as offer
      from price join selection on selection.id = selection_id join market on market.id = market_id join fixture on fixture.id = fixture_id
      join bookmaker on bookmaker.id = bookmaker_id where fixture.reference = ${reference} order by 1
    `.execute(database());
    return rows.map(({ offer }) => offer);
  };

  test(
    'has pulled the prices that they lack: a line, and all of a bookmaker that is gone',
    undone(async () => {
      const coral = at(before(9), 2050, { bookmakerReference: 'coral' });
      await told(8, [market([at(before(9), 2000), coral]), total(250, [at(before(9), 2100)])]);
      const next = [market([at(before(9), 2000)]), total(300, [at(before(6), 2500)])];
      expect(await told(5, next)).toMatchObject({ prices: 3, changed: 1, rejections: [] });
      expect(await offers()).toEqual([
        'bet365 home 0 2000',
        'bet365 over 250 2100 pulled',
        'bet365 over 300 2500',
        'coral home 0 2050 pulled',
      ]);
      expect(await history('coral')).toEqual([
        { at: before(9), odds: 2050 },
        { at: before(5), odds: null },
      ]);
      const kept = await everything();
      expect(await told(4, next)).toMatchObject({ prices: 0, unchanged: 1, rejections: [] });
      expect(await everything()).toEqual(kept);
      await told(3, []);
      expect((await offers()).filter((offer) => !offer.endsWith('pulled'))).toEqual([]);
    }),
  );

  test(
    'leaves what it does not give as a whole: another bookmaker, another kind, another fixture',
    undone(async () => {
      const coral = at(before(9), 2050, { bookmakerReference: 'coral' });
      await told(8, [market([at(before(9), 2000), coral]), total(250, [at(before(9), 2100)])]);
      const kept = await everything();
      await told(5, [], []);
      await importAll([match('Swifts', 'Dons', start, { sourceId: 'e1' })], source, moment(5));
      await told(5, [market([at(before(9), 2000)])], [{ bookmakerReference: 'bet365', kinds: ['match-result'] }]);
      expect(await everything()).toEqual(kept);
    }),
  );

  test(
    'has not pulled a price that another source gives without a time, one from after the reading, or one of what has started',
    undone(async () => {
      await told(8, [market([at(before(9), 2000)])]);
      await importAll([fixture([at(before(7), 2100, { timeKnown: false })])]);
      await told(6, []);
      await told(5, [total(250, [at(before(4), 2100)])]);
      await told(4.5, []);
      await told(0, []);
      expect(await offers()).toEqual(['bet365 home 0 2100', 'bet365 over 250 2100']);
    }),
  );

  test(
    'goes by when the answer came in: what comes after the start pulls nothing, though the run began before it',
    undone(async () => {
      const first = [market([at(before(9), 2000)])];
      await told(8, first);
      await told(-0.1, [], whole('bet365'), 0.1);
      expect(await offers()).toEqual(['bet365 home 0 2000']);
      await told(5, [], whole('bet365'), 6);
      expect(await told(4, first, whole('bet365'), 5)).toMatchObject({ prices: 1, rejections: [] });
      expect(await history()).toEqual([
        { at: before(9), odds: 2000 },
        { at: before(5), odds: null },
        { at: before(4), odds: 2000 },
      ]);
    }),
  );

  test(
    'has a price on offer again that it gives again, though it has not changed since',
    undone(async () => {
      const first = [market([at(before(9), 2000)])];
      await told(8, first);
      await told(6, []);
      expect(await told(5, first)).toMatchObject({ prices: 1, rejections: [] });
      expect(await told(4, first)).toMatchObject({ prices: 0, rejections: [] });
      expect([await offers(), await history()]).toEqual([
        ['bet365 home 0 2000'],
        [
          { at: before(9), odds: 2000 },
          { at: before(6), odds: null },
          { at: before(5), odds: 2000 },
        ],
      ]);
    }),
  );
});

describe('opening and closing prices', () => {
  test(
    'a closing price stands beside the opening one and is the present one',
    undone(async () => {
      await importAll([
        fixture([at(before(30), 2000, { timeKnown: false }), at(start, 1850, { closing: true, timeKnown: false })]),
      ]);
      expect(await storedPrice(reference, 'home', 'bet365')).toEqual({ now: 1850, opening: 2000, closing: 1850 });
    }),
  );

  test(
    'a closing price without an opening one is both',
    undone(async () => {
      await importAll([fixture([at(start, 1850, { closing: true })])]);
      expect(await storedPrice(reference, 'home', 'bet365')).toEqual({ now: 1850, opening: 1850, closing: 1850 });
    }),
  );

  test(
    'a closing price that contradicts an earlier one changes nothing',
    undone(async () => {
      await importAll([fixture([at(start, 1850, { closing: true })])]);
      expect(
        (await importAll([fixture([at(before(30), 2000), at(start, 1800, { closing: true })])])).rejections,
      ).toHaveLength(1);
      expect(await storedPrice(reference, 'home', 'bet365')).toEqual({ now: 1850, opening: 2000, closing: 1850 });
    }),
  );
});

describe('the database', () => {
  const put = (odds: number | null, numerator: number | null, denominator: number | null) =>
    transact(async () => {
      await sql`
        insert into price_change (selection_id, bookmaker_id, at, time_known, odds_thousandths, numerator, denominator)
        select id, 101, '2020-01-01', true, ${odds}::int, ${numerator}::int, ${denominator}::int from selection order by id limit 1
      `.execute(database());
    });

  test.each([
    [1000, null, null],
    [1_000_001, null, null],
    [0, null, null],
    [-2000, null, null],
    [2000, 1, null],
    [2000, null, 1],
  ])('refuses the price %p (%p/%p)', (odds, numerator, denominator) =>
    undone(async () =>
      expect(await put(odds, numerator, denominator).catch((error: Error) => error.message)).toMatch(
        /violates check constraint/,
      ),
    )(),
  );
});
