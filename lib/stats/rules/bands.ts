/** The breakdowns whose buckets are bands of an amount. */
export type BandedKind = 'odds-total' | 'time-before' | 'stake';

/** A band of an amount: `from` included, up to the next band's `from`; its key is `from` in text. */
export type Band = { from: number; label: string };

const odds = (decimal: number) => decimal * 1_000_000;
const hours = (count: number) => count * 60;
const units = (count: number) => count * 100;

/** Ours: the bands of total odds in millionths, of the time before the start in minutes and of the stake in hundredths, ascending. */
export const bands: Readonly<Record<BandedKind, readonly [Band, ...Band[]]>> = {
  'odds-total': [
    { from: 0, label: 'under 1.50' },
    { from: odds(1.5), label: '1.50 to 1.99' },
    { from: odds(2), label: '2.00 to 2.49' },
    { from: odds(2.5), label: '2.50 to 2.99' },
    { from: odds(3), label: '3.00 to 3.99' },
    { from: odds(4), label: '4.00 to 5.99' },
    { from: odds(6), label: '6.00 to 10.99' },
    { from: odds(11), label: '11.00 to 25.99' },
    { from: odds(26), label: '26.00 and over' },
  ],
  'time-before': [
    { from: 0, label: 'under 1 hour' },
    { from: hours(1), label: '1 to 3 hours' },
    { from: hours(3), label: '3 to 6 hours' },
    { from: hours(6), label: '6 to 12 hours' },
    { from: hours(12), label: '12 to 24 hours' },
    { from: hours(24), label: '1 to 2 days' },
    { from: hours(48), label: '2 to 7 days' },
    { from: hours(168), label: '7 days and over' },
  ],
  stake: [
    { from: 0, label: 'under 0.50 units' },
    { from: units(0.5), label: '0.50 to 0.99 units' },
    { from: units(1), label: '1.00 to 1.99 units' },
    { from: units(2), label: '2.00 to 2.99 units' },
    { from: units(3), label: '3.00 to 4.99 units' },
    { from: units(5), label: '5.00 to 10.00 units' },
  ],
};

/** The band of an amount; one below the first band, such as the time before a start that was brought forward, belongs to the first. */
export function bandOf(kind: BandedKind, amount: number): string {
  const [first] = bands[kind];
  return String((bands[kind].findLast(({ from }) => from <= amount) ?? first).from);
}
