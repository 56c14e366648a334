import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { redirects } from '@/lib/redirects';
import { routeTable } from '@/lib/route-table';

type Pattern = { name: string; segments: readonly string[] };

const segmentsOf = (address: string): string[] => address.split('/').filter(Boolean);
const isParameter = (segment: string) => segment.startsWith('{');
const isWide = (name: string) => name.includes('{...');

/** The patterns of all calls, from the list of the build, or from the sources where nothing is built. */
function callNames(): string[] {
  return routeFiles().flatMap((file) =>
    /\/route(?:\.tsx?)?$/.test(file)
      ? [
          file
            .replace(/\/route(?:\.tsx?)?$/, '')
            .replace(/\/\([^/]+\)/g, '')
            .replace(/\[(\.{3})?(\w+)\]/g, '{$1$2}'),
        ]
      : [],
  );
}

function routeFiles(): string[] {
  const manifest = path.join(process.cwd(), env().TIPLEDGER_BUILD, 'server', 'app-paths-manifest.json');
  if (existsSync(manifest)) return Object.keys(JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, string>);
  const sources = path.join(process.cwd(), 'app');
  return existsSync(sources)
    ? readdirSync(sources, { recursive: true, encoding: 'utf8' }).map((file) => `/${file.split(path.sep).join('/')}`)
    : [];
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
const routes = () =>
  singleton('route-names', () => {
    const names = [...pages, ...callNames(), '/healthz', '/readyz', '/metrics'];
    return {
      patterns: byLength(names),
      wide: names.filter(isWide).map((name) => ({ name, segments: segmentsOf(name).slice(0, -1) })),
    };
  });
const secret = '{guid}';
const withSecrets = byLength([...pages, ...redirects.map(({ from }) => from)].filter((name) => name.includes(secret)));

const fits = (segments: readonly string[], given: readonly string[]) =>
  segments.every((segment, index) => isParameter(segment) || segment === given[index]);

function find(patterns: Map<number, Pattern[]>, address: string): Pattern | undefined {
  const given = segmentsOf(address);
  return patterns.get(given.length)?.find(({ segments }) => fits(segments, given));
}

/** The pattern of the page or call at a path, so that requests can be counted by it: few names, whatever is asked for. */
export function routeNameOf(address: string): string {
  if (address.startsWith('/_next/')) return '/_next';
  const { patterns, wide } = routes();
  const found =
    find(patterns, address) ??
    wide.find(({ segments }) => {
      const given = segmentsOf(address);
      return given.length > segments.length && fits(segments, given);
    });
  return found?.name ?? (address.startsWith('/api/') ? '/api' : 'other');
}

/** A path as logs may hold it: what signs a person in or off is not in it. */
export function pathWithoutSecrets(address: string): string {
  const found = find(withSecrets, address);
  if (found === undefined) return address;
  const given = segmentsOf(address);
  return `/${found.segments.map((segment, index) => (segment === secret ? secret : given[index])).join('/')}`;
}
