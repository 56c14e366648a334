import { routeTable, segmentsOf } from '@/lib/route-table';
import { sports } from '@/lib/reference/schema';

const sportReferences = new Set(sports.map(({ reference }) => reference));

/** A path as a pattern of a browser; below a sport one stands for all sports, since a browser compiles each of them on every page. */
function asPattern(path: string): string {
  const [first = '', ...rest] = segmentsOf(path);
  const segments = rest.length > 0 && sportReferences.has(first) ? ['{sport}', ...rest] : [first, ...rest];
  return `/${segments.join('/')}`.replace(/\{(\w+)\}/g, ':$1');
}

const isName = (segment: string) => segment.startsWith(':');

/** Whether an address can be of both patterns. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [segmentsOf(one), segmentsOf(other)];
  return (
    a.length === b.length &&
    a.every((segment, index) => {
      const beside = b[index] ?? '';
      return segment === beside || isName(segment) || isName(beside);
    })
  );
}

const isAhead = ({ access, shell }: (typeof routeTable)[number]) => access === 'public' && shell.preload;
const patternsOf = (isWanted: typeof isAhead) => [
  ...new Set(routeTable.filter(isWanted).map(({ path }) => asPattern(path))),
];

const preloaded = patternsOf(isAhead);
const others = patternsOf((route) => !isAhead(route)).filter((other) => preloaded.some((one) => overlap(one, other)));

const ahead = [
  {
    where: {
      and: [
        { href_matches: preloaded },
        { not: { href_matches: others } },
        { not: { selector_matches: '[download], [rel~="nofollow"], [target="_blank"]' } },
      ],
    },
    eagerness: 'moderate',
  },
];

/**
 * Spec §2.1, §2.2, as JSON: a page that everybody may see and whose route says so is prerendered once somebody points at a link to it, or
 * fetched where the browser cannot. Nothing else is: no call, no way out, nothing that asks who one is. A page's policy allows this text
 * alone, so nobody may keep it beyond the release.
 */
export const speculationRules = JSON.stringify({ prerender: ahead, prefetch: ahead });
