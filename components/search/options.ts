import { formatCount } from '@/lib/format';
import { routes } from '@/lib/routes';
import { type SearchAnswer, type SearchHit, searchKindNames } from '@/lib/search/schema';

/** One thing to choose: what was found, or a text to search for. */
export type Option = { href: string; hit: SearchHit } | { href: string; text: string };

/** Options under a heading. */
export type OptionGroup = { title: string; options: Option[] };

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** What there is to choose from for an answer: its hits by kind, and the page of all of them when it has more. */
export function answerOptions(answer: SearchAnswer): OptionGroup[] {
  const groups = answer.groups.map(({ kind, hits }) => ({
    title: capitalised(searchKindNames[kind].many),
    options: hits.map((hit) => ({ href: hit.path, hit })),
  }));
  if (groups.length === 0) return [];
  const all = {
    href: routes.search({ q: answer.query }),
    text: `All ${formatCount(answer.total, 'result', 'results')} for “${answer.query}”`,
  };
  return [...groups, { title: 'Everything', options: [all] }];
}

/** What there is to choose from before anything is typed. */
export function recentOptions(recent: readonly string[]): OptionGroup[] {
  return recent.length === 0
    ? []
    : [{ title: 'Recent searches', options: recent.map((text) => ({ href: routes.search({ q: text }), text })) }];
}

/** What is told to who cannot see the options. */
export function announcement(answer: SearchAnswer): string {
  if (answer.total === 0) return `No results for “${answer.query}”.`;
  const kinds = answer.groups
    .map(({ kind, count }) => formatCount(count, searchKindNames[kind].one, searchKindNames[kind].many))
    .join(', ');
  return `${answer.matching === 'all' ? '' : 'No exact match. '}${kinds}. Use the arrow keys to choose.`;
}
