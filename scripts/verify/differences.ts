/** One figure that the site shows otherwise than the record says; `where` names the page or call and the figure. */
export type Difference = { where: string; site: unknown; record: unknown };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What numbers and their digits in text have in common: the same whole number is the same figure either way. */
const plain = (value: unknown) =>
  typeof value === 'string' && /^(0|-?[1-9]\d*)$/.test(value) && Number.isSafeInteger(Number(value))
    ? Number(value)
    : value;

/**
 * Every figure in which what a site answers differs from what the record says, down to single values. Members that the record does not tell of
 * are left alone, and so are those that `counts` refuses by their path, such as "advised.luckProbability".
 */
export function differences(
  where: string,
  site: unknown,
  record: unknown,
  counts: (path: string) => boolean = () => true,
  path = '',
): Difference[] {
  if (path !== '' && !counts(path)) return [];
  const named = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (Array.isArray(record) && Array.isArray(site) && record.length === site.length)
    return record.flatMap((each, index) => differences(where, site[index], each, counts, named(String(index))));
  if (isObject(record) && isObject(site) && !Array.isArray(record))
    return Object.keys(record).flatMap((name) => differences(where, site[name], record[name], counts, named(name)));
  return JSON.stringify(plain(site)) === JSON.stringify(plain(record))
    ? []
    : [{ where: path === '' ? where : `${where}, ${path}`, site: site ?? null, record: record ?? null }];
}

/** A difference as a line for the terminal. */
export const differenceText = ({ where, site, record }: Difference) =>
  `${where}: the site says ${JSON.stringify(site)}, the record ${JSON.stringify(record)}`;
