import fc from 'fast-check';
import { bestPriceSteps, exactOdds, pricesAfterPublication } from '@/lib/odds/rules';
import { bestPriceAt, type PriceChange } from '@/lib/odds/rules/price-history';
import type { Price } from '@/lib/odds/schema';

const seed = 515;
const decimal = (oddsThousandths: number): Price => ({ oddsThousandths, fraction: null });
const fractional = (numerator: number, denominator: number): Price => ({
  oddsThousandths: 1000 + Math.round((1000 * numerator) / denominator),
  fraction: { numerator, denominator },
});
const change = (bookmakerId: number, at: number, price: Price | null): PriceChange => ({ bookmakerId, at, price });

/** The best price at a moment by asking each bookmaker for its last change until then. */
function bestByAsking(changes: readonly PriceChange[], at: number): Price | null {
  const bookmakers = [...new Set(changes.map(({ bookmakerId }) => bookmakerId))].sort((a, b) => a - b);
  let best: Price | null = null;
  for (const bookmakerId of bookmakers) {
    const last = changes
      .filter((each) => each.bookmakerId === bookmakerId && each.at <= at)
      .reduce<PriceChange | null>((latest, each) => (!latest || each.at > latest.at ? each : latest), null);
    if (last?.price && (!best || exactOdds(last.price).gt(exactOdds(best)))) best = last.price;
  }
  return best;
}

const anyPrice = fc.oneof(
  fc.integer({ min: 1001, max: 3000 }).map(decimal),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).map(([n, d]) => fractional(n, d)),
);
const anyChanges = fc.uniqueArray(
  fc.record({
    bookmakerId: fc.integer({ min: 1, max: 5 }),
    at: fc.integer({ min: 0, max: 40 }),
    price: fc.option(anyPrice, { freq: 4 }),
  }),
  {
    selector: ({ bookmakerId, at }) => `${bookmakerId}|${at}`,
    maxLength: 40,
  },
);

describe('the best price on offer', () => {
  it('is what asking every bookmaker gives, at any moment of any history in any order', () => {
    fc.assert(
      fc.property(anyChanges, (changes) => {
        const steps = bestPriceSteps(changes);
        for (let at = -1; at <= 41; at += 1) expect(bestPriceAt(steps, at)).toEqual(bestByAsking(changes, at));
      }),
      { seed, numRuns: 500 },
    );
  });

  it('holds from its very moment on, goes when it is withdrawn, and comes back', () => {
    const steps = bestPriceSteps([change(1, 10, decimal(2000)), change(1, 20, null), change(1, 30, decimal(1900))]);
    expect([9, 10, 19, 20, 29, 30].map((at) => bestPriceAt(steps, at)?.oddsThousandths ?? null)).toEqual([
      null,
      2000,
      2000,
      null,
      null,
      1900,
    ]);
  });

  it('is compared exactly and taken from the lowest id where two pay alike', () => {
    expect(bestPriceAt(bestPriceSteps([change(1, 0, fractional(10, 11)), change(2, 0, decimal(1910))]), 0)).toEqual(
      decimal(1910),
    );
    expect(bestPriceAt(bestPriceSteps([change(7, 0, decimal(2500)), change(3, 0, fractional(6, 4))]), 0)).toEqual(
      fractional(6, 4),
    );
  });
});

describe('the prices after publication', () => {
  const published = new Date('2026-03-10T12:00:00.000Z');
  const after = (minutes: number) => new Date(published.getTime() + minutes * 60_000);
  const steps = bestPriceSteps(
    [0, 5, 15, 60, 90].map((minutes) => change(1, after(minutes).getTime(), decimal(2000 + minutes))),
  );
  const odds = (startsAt: Date) =>
    Object.values(pricesAfterPublication(steps, published, startsAt)).map((price) => price?.oddsThousandths ?? null);

  it('are those 5, 15 and 60 minutes later and the last one until the start', () => {
    expect(odds(after(80))).toEqual([2005, 2015, 2060, 2060]);
    expect(odds(after(90))).toEqual([2005, 2015, 2060, 2090]);
  });

  it('end at the start: at a moment that is not before it there is none but the close', () => {
    expect(odds(after(60))).toEqual([2005, 2015, null, 2060]);
    expect(odds(after(15))).toEqual([2005, null, null, 2015]);
    expect(odds(after(3))).toEqual([null, null, null, 2000]);
  });
});
