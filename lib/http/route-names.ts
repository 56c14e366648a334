import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';
import { redirects } from '@/lib/redirects';
import { routeTable } from '@/lib/route-table';
import { Patterns } from './patterns';
import { failedPagePath } from './worded-pages';

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

const named = (names: readonly string[]) => new Patterns(names.map((name) => [name, name]));

const pages = routeTable.map(({ path: name }) => name);
const routes = () =>
  singleton('route-names', () => named([...pages, ...callNames(), failedPagePath, '/healthz', '/readyz', '/metrics']));
const secret = '{guid}';
const withSecrets = named([...pages, ...redirects.map(({ from }) => from)].filter((name) => name.includes(secret)));

/** The pattern of the page or call at a path, so that requests can be counted by it: few names, whatever is asked for. */
export function routeNameOf(address: string): string {
  if (address.startsWith('/_next/')) return '/_next';
  return routes().find(address)?.name ?? (address.startsWith('/api/') ? '/api' : 'other');
}

/** A path as logs may hold it: what signs a person in or off is not in it. */
export function pathWithoutSecrets(address: string): string {
  const found = withSecrets.find(address);
  if (found === null) return address;
  const given = address.split('/').filter(Boolean);
  const segments = found.name.split('/').filter(Boolean);
  return `/${segments.map((segment, index) => (segment === secret ? secret : given[index])).join('/')}`;
}

type Names = { route: string; path: string };

const mostNames = 2_000;
const longestAddress = 200;
const kept = new LRUCache<string, Names>({ max: mostNames });

/** What `routeNameOf` and `pathWithoutSecrets` say of an address, kept for those that are asked for most; what has a secret is not kept. */
export function namesOf(address: string): Names {
  const known = kept.get(address);
  if (known) return known;
  const names = { route: routeNameOf(address), path: pathWithoutSecrets(address) };
  if (address.length <= longestAddress && names.path === address) kept.set(address, names);
  return names;
}
