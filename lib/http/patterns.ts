type Pattern<T> = { name: string; value: T; segments: readonly string[] };

/** What stands at an address: the name of its pattern, its value, and what the parameters of the pattern are. */
export type Match<T> = { name: string; value: T; params: Record<string, string | string[]> };

const segmentsOf = (address: string): string[] => address.split('/').filter(Boolean);
const isParameter = (segment: string) => segment.startsWith('{');
const isWide = (name: string) => name.includes('{...');
const decode = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const fits = (segments: readonly string[], given: readonly string[]) =>
  segments.every((segment, index) => isParameter(segment) || segment === given[index]);

function paramsOf({ segments }: Pattern<unknown>, given: readonly string[]): Match<unknown>['params'] {
  return Object.fromEntries(
    segments.flatMap((segment, index): [string, string | string[]][] => {
      if (isWide(segment)) return [[segment.slice(4, -1), given.slice(index).map(decode)]];
      return isParameter(segment) ? [[segment.slice(1, -1), decode(given[index] ?? '')]] : [];
    }),
  );
}

/** Values by patterns of addresses, as '/fixture/{reference}': what is spelled out comes before what a parameter stands for, and that before the rest of a path, '{...path}'. */
export class Patterns<T> {
  readonly #byLength = new Map<number, Pattern<T>[]>();
  readonly #wide: Pattern<T>[] = [];

  constructor(values: Iterable<readonly [name: string, value: T]>) {
    // "{" sorts after every letter.
    for (const [name, value] of [...new Map(values)].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const pattern = { name, value, segments: segmentsOf(name) };
      const { length } = pattern.segments;
      if (isWide(name)) this.#wide.push(pattern);
      else this.#byLength.set(length, [...(this.#byLength.get(length) ?? []), pattern]);
    }
  }

  /** The first pattern that an address fits, with its parameters decoded; null where there is none. */
  find(address: string): Match<T> | null {
    const given = segmentsOf(address);
    const found =
      this.#byLength.get(given.length)?.find(({ segments }) => fits(segments, given)) ??
      this.#wide.find(({ segments }) => given.length >= segments.length && fits(segments.slice(0, -1), given));
    return found ? { name: found.name, value: found.value, params: paramsOf(found, given) } : null;
  }
}
