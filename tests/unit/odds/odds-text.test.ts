import fc from 'fast-check';
import { readOdds, writeOdds } from '@/lib/odds/rules';
import { maxOddsThousandths, minOddsThousandths, type Price, priceSchema } from '@/lib/odds/schema';
import { maxFractionTerm } from '@/lib/odds/schema/price';
import { OddsDisplay } from '@/lib/reference/schema';

const oddsDisplays = Object.values(OddsDisplay);
const seed = 1910;
const decimalPrice = (oddsThousandths: number): Price => ({ oddsThousandths, fraction: null });
const thousandths = (odds: number): number => Math.round(odds * 1000);
const anyDisplay = fc.constantFrom(...oddsDisplays);
const anyTerm = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: maxFractionTerm }));

function priceOf(text: string, display: OddsDisplay): Price {
  const reading = readOdds(text, display);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.price;
}

/** The odds that a text stands for by the definition of its format, with none of our conventions. */
function plainValue(text: string, display: OddsDisplay): number {
  if (display === 'decimal') return Number(text);
  if (display === 'fraction') {
    const [numerator, denominator] = (text === 'evens' ? '1/1' : text).split('/').map(Number) as [number, number];
    return 1 + numerator / denominator;
  }
  const points = Number(text.slice(1));
  return text.startsWith('+') ? 1 + points / 100 : 1 + 100 / points;
}

// Of the long odds one in thirteen, or each of them with TIPLEDGER_WALK=full.
const step = process.env.TIPLEDGER_WALK === 'full' ? 1 : 13;

function* prices(): Generator<number> {
  for (let odds: number = minOddsThousandths; odds <= maxOddsThousandths; odds += odds < 30_000 ? 1 : step) yield odds;
}

describe('every price from 1.001 to 30, and those above up to 1000', () => {
  it.each(oddsDisplays)('are read back without a difference from their %s text, so no two look alike', (display) => {
    const differences: string[] = [];
    for (const odds of prices()) {
      const text = writeOdds(decimalPrice(odds), display);
      const reading = readOdds(text, display);
      if (!reading.ok || reading.price.oddsThousandths !== odds) differences.push(`${odds}: ${text}`);
    }
    expect(differences).toEqual([]);
  });

  it.each([
    ['decimal', 0],
    ['fraction', 0.005],
    ['moneyline', 0.005],
  ] as const)('are shown as %s odds that stand for them to within %d', (display, tolerance) => {
    const strays: string[] = [];
    for (const odds of prices()) {
      const text = writeOdds(decimalPrice(odds), display);
      if (Math.abs(plainValue(text, display) - odds / 1000) > tolerance + 1e-9) strays.push(`${odds}: ${text}`);
    }
    expect(strays).toEqual([]);
  });

  it('are shown in moneyline by a whole number when they are a whole hundredth', () => {
    const broken: string[] = [];
    for (let odds = 1010; odds <= maxOddsThousandths; odds += 10) {
      const text = writeOdds(decimalPrice(odds), 'moneyline');
      if (!/^[+−]\d+$/.test(text)) broken.push(`${odds}: ${text}`);
    }
    expect(broken).toEqual([]);
  });
});

describe('the 100,000 odds of the issue', () => {
  it('are written and read in three formats without a difference', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1010, max: maxOddsThousandths }), (odds) =>
        oddsDisplays.every((display) => {
          const text = writeOdds(decimalPrice(odds), display);
          const price = priceOf(text, display);
          return price.oddsThousandths === odds && writeOdds(price, display) === text;
        }),
      ),
      { seed, numRuns: 100_000 },
    );
  });
});

describe('a price quoted as a fraction', () => {
  const anyFractionText = fc
    .tuple(anyTerm, anyTerm)
    .filter(([numerator, denominator]) => 1000 * numerator >= denominator && numerator <= 999 * denominator)
    .map(([numerator, denominator]) => `${numerator}/${denominator}`);

  it('is valid, keeps its fraction as quoted and is read back whole', () => {
    fc.assert(
      fc.property(anyFractionText, (text) => {
        const price = priceSchema.parse(priceOf(text, 'fraction'));
        expect(price.fraction && `${price.fraction.numerator}/${price.fraction.denominator}`).toBe(text);
        expect(priceOf(writeOdds(price, 'fraction'), 'fraction')).toEqual(price);
      }),
      { seed, numRuns: 20_000 },
    );
  });

  it('has the same decimal odds however it is reduced, except over 1000, which means those exact decimals', () => {
    expect(priceOf('2/3', 'fraction').oddsThousandths).toBe(1670);
    expect(priceOf('4/6', 'fraction').oddsThousandths).toBe(1670);
    expect(priceOf('100/30', 'fraction').oddsThousandths).toBe(4330);
    expect(priceOf('13/8', 'fraction').oddsThousandths).toBe(2630);
    expect(priceOf('1625/1000', 'fraction').oddsThousandths).toBe(2625);
  });

  it('is refused by the schema when the decimal odds beside it are others', () => {
    const fraction = { numerator: 10, denominator: 11 };
    expect(priceSchema.safeParse({ oddsThousandths: 1910, fraction }).success).toBe(true);
    expect(priceSchema.safeParse({ oddsThousandths: 1920, fraction }).success).toBe(false);
    expect(priceSchema.safeParse({ oddsThousandths: 1000, fraction: null }).success).toBe(false);
    expect(priceSchema.safeParse({ oddsThousandths: 1910.5, fraction: null }).success).toBe(false);
  });
});

describe('the customary texts', () => {
  it.each([
    [1.91, '1.91', '10/11', '−110'],
    [2.1, '2.10', '11/10', '+110'],
    [3.25, '3.25', '9/4', '+225'],
    [2.5, '2.50', '6/4', '+150'],
    [2, '2.00', 'evens', '+100'],
    [1.5, '1.50', '1/2', '−200'],
    [1.01, '1.01', '1/100', '−10000'],
    [1000, '1000.00', '999/1', '+99900'],
    [1.95, '1.95', '20/21', '−105'],
    [1.67, '1.67', '4/6', '−149'],
    [1.83, '1.83', '5/6', '−120'],
    [2.38, '2.38', '11/8', '+138'],
    [2.63, '2.63', '13/8', '+163'],
    [4.33, '4.33', '10/3', '+333'],
    [34, '34.00', '33/1', '+3300'],
    [1.02, '1.02', '1/50', '−5000'],
    [1.015, '1.015', '1/66', '−6667'],
  ])('%d is %s, %s and %s, both ways', (odds, decimal, fraction, moneyline) => {
    const texts = { decimal, fraction, moneyline };
    for (const display of oddsDisplays) {
      expect(writeOdds(decimalPrice(thousandths(odds)), display)).toBe(texts[display]);
      expect(priceOf(texts[display], display).oddsThousandths).toBe(thousandths(odds));
    }
  });

  it.each([
    [1.92, '1.92', '23/25', '−109'],
    [2.62, '2.62', '81/50', '+162'],
    [2.625, '2.625', '1625/1000', '+162.5'],
    [2.125, '2.125', '9/8', '+112.5'],
    [1.909, '1.909', '909/1000', '−110.01'],
    [1.813, '1.813', '813/1000', '−123.001'],
    [1.935, '1.935', '187/200', '−107'],
    [1.001, '1.001', '1/1000', '−100000'],
  ])('%d, off the ladder or between hundredths, is %s, %s and %s, both ways', (odds, decimal, fraction, moneyline) => {
    const texts = { decimal, fraction, moneyline };
    for (const display of oddsDisplays) {
      expect(writeOdds(decimalPrice(thousandths(odds)), display)).toBe(texts[display]);
      expect(priceOf(texts[display], display).oddsThousandths).toBe(thousandths(odds));
    }
  });

  it('show a quoted fraction as quoted and its usual decimal and moneyline', () => {
    const price = priceOf('100/30', 'fraction');
    expect(oddsDisplays.map((display) => writeOdds(price, display))).toEqual(['4.33', '100/30', '+333']);
  });
});

describe('reading', () => {
  it.each([
    ['decimal', '2', 2000],
    ['decimal', ' 1.3 ', 1300],
    ['decimal', '1.952', 1952],
    ['decimal', '1.91000', 1910],
    ['decimal', '1000', 1_000_000],
    ['fraction', 'Evens', 2000],
    ['fraction', 'evs', 2000],
    ['decimal', '2,10', 2100],
    ['fraction', '5 / 1', 6000],
    ['fraction', '5⁄2', 3500],
    ['moneyline', '-110', 1910],
    ['moneyline', '−110', 1910],
    ['moneyline', '–110.0', 1910],
    ['moneyline', '-100', 2000],
    ['moneyline', '+100', 2000],
    ['moneyline', '+99900', 1_000_000],
  ] as const)('%s odds %p gives the price', (display, text, oddsThousandths) => {
    expect(readOdds(text, display)).toMatchObject({ ok: true, price: { oddsThousandths } });
  });

  it.each([
    ['decimal', '', /no odds.*such as 1\.91/],
    ['decimal', '1.9105', /"1\.9105" cannot be read.*at most three decimals/],
    ['decimal', '1,234,5', /"1,234,5" cannot be read.*with a point/],
    ['decimal', '1e3', /cannot be read/],
    ['decimal', '-1.91', /cannot be read/],
    ['decimal', '1', /out of range.*from 1\.001 to 1000\.00/],
    ['decimal', '0', /out of range/],
    ['decimal', '1000.001', /out of range/],
    ['decimal', '10/11', /decimal odds/],
    ['fraction', '10', /such as 10\/11 or evens/],
    ['fraction', '1/0', /cannot be read/],
    ['fraction', '0/1', /out of range.*from 1\/1000 to 999\/1/],
    ['fraction', '1/1001', /out of range/],
    ['fraction', '1000/1', /out of range/],
    ['fraction', '1000001/1000000', /whole numbers up to 1000000/],
    ['fraction', '1.5/1', /cannot be read/],
    ['moneyline', '150', /with the sign/],
    ['moneyline', '-99.999', /100 or more/],
    ['moneyline', '+0', /100 or more/],
    ['moneyline', '+99900.001', /out of range.*from −100000 to \+99900/],
    ['moneyline', '-100000.001', /out of range/],
  ] as const)('%s odds %p says what to write instead', (display, text, problem) => {
    expect(readOdds(text, display)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });

  it('never throws, gives only valid prices, and gives the same price again from what it writes', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789./+-−evns '), maxLength: 12 }),
      fc.tuple(fc.constantFrom('-', '+'), fc.integer({ min: 90, max: 120_000 })).map(([sign, points]) => sign + points),
    );
    fc.assert(
      fc.property(anyText, anyDisplay, (text, display) => {
        const reading = readOdds(text, display);
        if (!reading.ok) return reading.problem.length < 200;
        const price = priceSchema.parse(reading.price);
        return priceOf(writeOdds(price, display), display).oddsThousandths === price.oddsThousandths;
      }),
      { seed, numRuns: 20_000 },
    );
  });
});
