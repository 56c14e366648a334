import { type ComparisonFilter, comparisonFilterSchema } from '../schema/comparison';

/** The parameters of a URL as a page or a call gets them; of one given twice, both values. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

const sentWhenPositive: ReadonlySet<string> = new Set([
  'profit',
  'roi',
  'tips',
  'minOdds',
  'maxOdds',
  'followerRoi',
  'stillThere',
  'page',
] satisfies (keyof ComparisonFilter)[]);

/**
 * Spec §5: the parameters to send for a filter, in the order of spec §3: amounts when they are positive, choices always, since their 0
 * means something. `readComparisonFilter` gives the same filter back.
 */
export function writeComparisonFilter(filter: ComparisonFilter): URLSearchParams {
  const names = Object.keys(comparisonFilterSchema.shape) as (keyof ComparisonFilter)[];
  return new URLSearchParams(
    names.flatMap((name) => (sentWhenPositive.has(name) && filter[name] <= 0 ? [] : [[name, String(filter[name])]])),
  );
}

/** The filter that a page's URL asks for: what is absent or not allowed has its default. A call uses `comparisonFilterSchema`, which says what is wrong. */
export function readComparisonFilter(parameters: Parameters): ComparisonFilter {
  const parsed = comparisonFilterSchema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]));
  return readComparisonFilter(Object.fromEntries(Object.entries(parameters).filter(([name]) => !wrong.has(name))));
}
