import { routeTable } from '@/lib/route-table';

const asPattern = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

const preloaded = routeTable.filter(({ access, shell }) => access === 'public' && shell.preload);
const others = routeTable.filter((route) => !preloaded.includes(route));

const ahead = [
  {
    where: {
      and: [
        { href_matches: preloaded.map(({ path }) => asPattern(path)) },
        { not: { href_matches: others.map(({ path }) => asPattern(path)) } },
        { not: { selector_matches: '[download], [rel~="nofollow"], [target="_blank"]' } },
      ],
    },
    eagerness: 'moderate',
  },
] as const;

/**
 * Spec §2.1, §2.2: a page that everybody may see and whose route says so is prerendered once somebody points at a link to it, or fetched where
 * the browser cannot. Nothing else is: no call, no way out, nothing that asks who one is.
 */
export const speculationRules = { prerender: ahead, prefetch: ahead } as const;
