import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { calls } from '@/app/api/calls';
import { files } from '@/app/files';
import { routeNameOf } from '@/lib/http/route-names';

const root = process.cwd();
const folder = path.join(root, 'app/api');

/** Spec §7 writes one call with a slash at its end, which no folder has. */
const withSlash = ['/portfolio/{reference}/stats/month-overview'];

/** The calls that the folders hold: the path of each route file with the methods that it exports. */
const inFolders = filesUnder(folder, 'route.ts').flatMap((file) => {
  const named = `/${path.relative(folder, path.dirname(file))}`.replace(/\[(\.{3})?(\w+)\]/g, '{$1$2}');
  const place = withSlash.includes(named) ? `${named}/` : named;
  return [
    ...readFileSync(file, 'utf8').matchAll(
      /^export (?:const|async function|function) (GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/gm,
    ),
  ].map(([, method]) => `${method} ${place}`);
});

const inTable = Object.entries(calls).flatMap(([place, methods]) =>
  Object.keys(methods)
    .filter((name) => /^[A-Z]+$/.test(name))
    .map((method) => `${method} ${place}`),
);

const inTests = filesUnder(path.join(root, 'tests/api'), '.test.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^describeCall\('([^']+)', '([A-Z]+)'/gm)].map(
    ([, place, method]) => `${method} ${place}`,
  ),
);

function filesUnder(start: string, ending: string): string[] {
  return readdirSync(start, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith(ending) ? [path.join(start, name)] : [],
  );
}

describe('the calls of the API', () => {
  test('are found', () => {
    expect(inFolders.length).toBeGreaterThanOrEqual(11);
    expect(inTests.length).toBeGreaterThanOrEqual(11);
  });

  test('stand all in the table that describes them, save the description itself', () => {
    expect(inTable.toSorted()).toEqual(inFolders.filter((call) => call !== 'GET /openapi.json').toSorted());
  });

  test('and the files beside them stand in the table that the server reads', () => {
    const app = path.join(root, 'app');
    const found = filesUnder(app, 'route.ts')
      .map((file) => `/${path.relative(app, path.dirname(file)).replace(/\[(\w+)\]/g, '{$1}')}`)
      .filter((place) => !place.startsWith('/api/'));
    expect(found.length).toBeGreaterThan(3);
    expect(Object.keys(files).toSorted()).toEqual(found.toSorted());
  });

  test('have each a test', () => {
    expect(inFolders.filter((call) => !inTests.includes(call))).toEqual([]);
  });

  test('are tested once each, and none that is gone', () => {
    expect(inTests.toSorted()).toEqual(inFolders.toSorted());
  });

  test('are each limited for itself: a limit counts by the pattern of the call, whatever stands in its address', () => {
    const patterns = Object.keys(calls);
    expect(patterns.length).toBeGreaterThan(40);
    const told = patterns.map((pattern) => {
      const value = pattern.includes('{...') ? '0/001' : 'x';
      return routeNameOf(`/api${pattern.replaceAll(/\{[\w.]+\}/g, value)}`);
    });
    expect(told).toEqual(patterns.map((pattern) => `/api${pattern.replace(/\/$/, '')}`));
  });
});
