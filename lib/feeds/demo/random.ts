/** A source of numbers that look random and are the same for the same seed. */
export type Random = {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** From a normal distribution with mean 0 and standard deviation 1. */
  normal(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of the list; throws a RangeError for an empty one. */
  pick<T>(list: readonly T[]): T;
  /** The list in another order. */
  shuffled<T>(list: readonly T[]): T[];
};

// FNV-1a, 32 bits.
function hash(text: string): number {
  let value = 2166136261;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 16777619);
  return value >>> 0;
}

/** The numbers of a seed, whose parts are told apart (mulberry32). */
export function randomFrom(...seed: readonly (string | number)[]): Random {
  let state = hash(seed.join('\u0000'));
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    whole,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    chance: (probability) => next() < probability,
    pick: (list) => {
      const chosen = list[whole(0, list.length - 1)];
      if (chosen === undefined) throw new RangeError('Nothing can be picked from an empty list.');
      return chosen;
    },
    shuffled: (list) =>
      list
        .map((item) => ({ item, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
  };
}
