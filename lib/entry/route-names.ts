import { readFileSync } from 'node:fs';
import path from 'node:path';
import { singleton } from '@/lib/platform/singleton';
import { redirects } from '@/lib/redirects';
import { routeTable } from '@/lib/route-table';

type Pattern = { name: string; segments: readonly string[] };

const segmentsOf = (address: string): string[] => address.split('/').filter(Boolean);
const isParameter = (segment: string) => segment.startsWith('{');

/** The patterns of the calls that the build made; none for the development server. */
function builtCalls(): string[] {
  try {
    const manifest = JSON.parse(
      readFileSync(path.join(process.cwd(), '.next', 'server', 'app-paths-manifest.json'), 'utf8'),
    ) as Record<string, string>;
    return Object.keys(manifest).flatMap((entry) =>
      entry.endsWith('/route') ? [entry.slice(0, -'/route'.length).replace(/\[(?:\.{3})?(\w+)\]/g, '{$1}')] : [],
    );
  } catch {
    return [];
  }
}

/** Patterns by how many segments they have; what is spelled out comes before what a parameter stands for, as "{" sorts after every letter. */
function byLength(names: readonly string[]): Map<number, Pattern[]> {
  const patterns = new Map<number, Pattern[]>();
  for (const name of [...new Set(names)].sort()) {
    const segments = segmentsOf(name);
    patterns.set(segments.length, [...(patterns.get(segments.length) ?? []), { name, segments }]);
  }
  return patterns;
}

const pages = routeTable.map(({ path: name }) => name);
const routes = singleton('route-names', () => byLength([...pages, ...builtCalls(), '/healthz', '/readyz', '/metrics']));
const secret = '{guid}';
const withSecrets = byLength([...pages, ...redirects.map(({ from }) => from)].filter((name) => name.includes(secret)));

function find(patterns: Map<number, Pattern[]>, address: string): Pattern | undefined {
  const given = segmentsOf(address);
  return patterns
    .get(given.length)
    ?.find(({ segments }) => segments.every((segment, index) => isParameter(segment) || segment === given[index]));
}

/** The pattern of the page or call at a path, so that requests can be counted by it: few names, whatever is asked for. */
export function routeNameOf(address: string): string {
  if (address.startsWith('/_next/')) return '/_next';
  const found = find(routes, address);
  return found?.name ?? (address.startsWith('/api/') ? '/api' : 'other');
}

/** A path as logs may hold it: what signs a person in or off is not in it. */
export function pathWithoutSecrets(address: string): string {
  const found = find(withSecrets, address);
  if (found === undefined) return address;
  const given = segmentsOf(address);
  return `/${found.segments.map((segment, index) => (segment === secret ? secret : given[index])).join('/')}`;
}
