import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sports } from '@/lib/reference/schema';
import { type Route, routeTable } from '@/lib/route-table';

type Source = { path: string; text: string; code: string };

const root = process.cwd();
const roots = [
  'app',
  'components',
  'lib',
  'scripts',
  'tests',
  'migrations',
  'worker',
  'server.ts',
  'middleware.ts',
  'instrumentation.ts',
  'next.config.mjs',
  'jest.config.mjs',
  'playwright.config.ts',
  'eslint.config.mjs',
];
const built = /(^|\/)(node_modules|\.next|\.data)\//;

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

function read(file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8');
  return { path: file, text, code: withoutComments(text) };
}

function filesOf(start: string): string[] {
  try {
    return readdirSync(path.join(root, start), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')] : [],
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' ? [start] : code === 'ENOENT' ? [] : [String(error)];
  }
}

const files = roots.flatMap(filesOf).filter((file) => !built.test(file));
const sources = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file)).map(read);
const within = (...folders: string[]) =>
  sources.filter((source) => folders.some((folder) => source.path.startsWith(`${folder}/`) || source.path === folder));
const breaking = (list: readonly Source[], breaks: (source: Source) => boolean) =>
  list.filter(breaks).map((source) => source.path);

/** The lines of the sources that match, as path:line. */
const linesThat = (list: readonly Source[], matches: RegExp) =>
  list.flatMap(({ path: file, code }) =>
    code.split('\n').flatMap((line, index) => (matches.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );

const doors = ['http', 'api', 'pages', 'stream', 'jobs', 'demo', 'program'];
const apart = ['platform', 'feeds', ...doors];
const nouns = [
  ...new Set(within('lib').flatMap(({ path: file }) => (file.split('/').length > 2 ? [file.split('/')[1] ?? ''] : []))),
].filter((name) => !apart.includes(name));

test('the sources are found', () => {
  expect(nouns).toEqual(expect.arrayContaining(['access', 'fixtures', 'odds', 'reference']));
  expect(within('components').length).toBeGreaterThan(20);
  expect(within('app').length).toBeGreaterThan(15);
  expect(within('worker').length).toBeGreaterThan(4);
});

const rooms = [...new Set(within('lib').map(({ path: file }) => (file.split('/')[1] ?? '').replace(/\.ts$/, '')))];

/** The rooms of lib that the sources of one import. */
const roomsOf = (room: string) =>
  new Set(
    within(`lib/${room}`, `lib/${room}.ts`)
      .flatMap(({ code }) => [...code.matchAll(/['"]@\/lib\/([\w-]+)/g)].map(([, other = '']) => other))
      .filter((other) => other !== room),
  );

test('no room of lib leads back to itself', () => {
  const reached = (room: string, seen: ReadonlySet<string> = new Set()): ReadonlySet<string> =>
    [...roomsOf(room)].reduce((all, next) => (all.has(next) ? all : reached(next, new Set([...all, next]))), seen);
  expect(rooms).toEqual(expect.arrayContaining([...apart, 'settlement', 'format']));
  expect(rooms.filter((room) => reached(room).has(room))).toEqual([]);
  expect(reached('jobs').has('odds')).toBe(true);
});

describe('a page that is kept for everybody', () => {
  test('writes its markup once (0092)', () => {
    const pages = sources.filter(({ path: file }) => /^app\/\([\w-]+\)\/(?:.*\/)?page\.tsx$/.test(file));
    const fileOf = ({ path: pattern }: Route) => {
      const sport = sports.find(({ reference }) => pattern.split('/')[1] === reference);
      const segments = (sport ? pattern.replace(sport.reference, '{sport}') : pattern).split('/').filter(Boolean);
      const isOf = (segment: string, wanted: string) =>
        segment === wanted || (wanted.startsWith('{') && segment.startsWith('['));
      return pages.find(({ path: file }) => {
        const folders = file.split('/').slice(2, -1);
        return folders.length === segments.length && folders.every((folder, at) => isOf(folder, segments[at] ?? ''));
      });
    };
    const kept = routeTable.filter((route) => route.kept !== null);
    expect(kept.length).toBeGreaterThan(40);
    const writesOnce = ({ path: file, code }: Source): boolean =>
      code.includes('<Markup>') ||
      [...code.matchAll(/from '(\.[^']*_sections\/[\w-]+)'/g)].some(([, to = '']) => {
        const section = sources.find(
          ({ path: other }) => other === `${path.posix.join(path.posix.dirname(file), to)}.tsx`,
        );
        return section !== undefined && section.code.includes('<Markup>');
      });
    expect(
      kept
        .filter((route) => !fileOf(route) || !writesOnce(fileOf(route) as Source))
        .map(({ path: pattern }) => pattern),
    ).toEqual([]);
  });
});

describe('a folder of components', () => {
  const folders = [...new Set(within('components').map(({ path: file }) => file.split('/')[1] ?? ''))];
  /** The folders that the sources of one import; what is fetched at need (`import()`) is not among them. */
  const foldersOf = (folder: string) =>
    new Set(
      within(`components/${folder}`)
        .flatMap(({ code }) => [...code.matchAll(/\bfrom '(?:\.\.|@\/components)\/([\w-]+)\//g)])
        .map(([, other = '']) => other)
        .filter((other) => other !== folder),
    );

  test('does not lead back to itself', () => {
    const reached = (folder: string, seen: ReadonlySet<string> = new Set()): ReadonlySet<string> =>
      [...foldersOf(folder)].reduce(
        (all, next) => (all.has(next) ? all : reached(next, new Set([...all, next]))),
        seen,
      );
    expect(folders.length).toBeGreaterThan(15);
    expect(reached('start').has('ui')).toBe(true);
    expect(folders.filter((folder) => reached(folder).has(folder))).toEqual([]);
  });

  test('stands on state and ui, which stand on no other; islands on these two, and nothing on start', () => {
    expect([...foldersOf('ui')]).toEqual([]);
    expect([...foldersOf('state')]).toEqual([]);
    expect([...foldersOf('islands')].sort()).toEqual(['state', 'ui']);
    expect(folders.filter((folder) => foldersOf(folder).has('start'))).toEqual([]);
  });
});

describe('a noun', () => {
  test.each(nouns)('%s holds schema, rules, queries and commands, and nothing else', (noun) => {
    const kinds = files.filter((file) => file.startsWith(`lib/${noun}/`)).map((file) => file.split('/')[2] ?? '');
    expect([...new Set(kinds)].filter((name) => !/^(schema|rules|queries|commands)(\.ts)?$/.test(name))).toEqual([]);
  });

  test('that reads or writes does so on the server alone, and says so first', () => {
    const impure = within('lib').filter(({ path: file }) => /^lib\/[^/]+\/(queries|commands)(\.ts|\/)/.test(file));
    expect(impure.length).toBeGreaterThan(8);
    expect(breaking(impure, ({ text }) => !text.startsWith("import 'server-only';\n"))).toEqual([]);
  });

  test('stands in lib beside the tables that all share, and nothing else', () => {
    expect(
      files
        .filter((file) => /^lib\/[^/]+$/.test(file))
        .filter(
          (file) =>
            ![
              'lib/amounts.ts',
              'lib/calls.ts',
              'lib/format.ts',
              'lib/routes.ts',
              'lib/route-table.ts',
              'lib/redirects.ts',
            ].includes(file),
        ),
    ).toEqual(['lib/package.json']);
  });

  test('does nothing when it is loaded, as lib says to those who bundle it: nobody imports it for that', () => {
    expect(JSON.parse(read('lib/package.json').text)).toMatchObject({ type: 'module', sideEffects: false });
    expect(
      sources.flatMap((source) =>
        [...source.code.matchAll(/^import '([^']*)'/gm)]
          .filter(([, to = '']) => resolved(source.path, to)?.startsWith('lib/'))
          .map(([line]) => `${source.path} ${line}`),
      ),
    ).toEqual([]);
  });
});

const kindOf = (file: string) => /^lib\/[\w-]+\/(?:schema|rules|queries|commands)(?=\.ts$|\/)/.exec(file)?.[0];
const nounOf = (file: string) => /^lib\/([\w-]+)\//.exec(file)?.[1];
const known = new Set(files);
const resolved = (from: string, to: string) => {
  const base = to.startsWith('@/') ? to.slice(2) : path.posix.join(path.posix.dirname(from), to);
  return ['', '.ts', '.tsx', '/index.ts'].map((end) => base + end).find((file) => known.has(file));
};

/** What a source imports of this tree: from which file, and by which names, none where it takes it whole. */
const importsOf = ({ path: from, code }: Source) =>
  [
    ...code.matchAll(
      /(?:\b(?:im|ex)port\s+(?:type\s+)?(?:\{([^}]*)\}|[\w*\s]+?)\s+from|\bimport\()\s*'((?:@\/|\.)[^']*)'/g,
    ),
  ].flatMap(([, names = '', to = '']) => {
    const file = resolved(from, to);
    const each = names.split(',').map((name) =>
      name
        .replace(/^\s*type\s/, '')
        .replace(/\sas\s[^]*/, '')
        .trim(),
    );
    return file ? [{ file, names: each.filter((name) => name !== '') }] : [];
  });

describe('a kind that is a folder', () => {
  const faces = within('lib').filter(({ path: file }) => kindOf(file) && file === `${kindOf(file)}/index.ts`);
  const shown = new Map(
    faces.map((face) => [face.path, new Set(importsOf(face).flatMap(({ names }) => names))] as const),
  );
  const isBehind = (file: string) => kindOf(file) !== undefined && file.startsWith(`${kindOf(file)}/`);
  const isTest = (file: string) => file.startsWith('tests/');
  const crossing = sources.flatMap((source) =>
    importsOf(source)
      .filter(({ file }) => isBehind(file) && nounOf(file) !== nounOf(source.path))
      .map((imported) => ({ ...imported, from: source.path })),
  );

  test('has no file of its name beside it', () => {
    expect(faces.length).toBeGreaterThan(40);
    expect(faces.filter(({ path: file }) => known.has(`${kindOf(file)}.ts`)).map(({ path: file }) => file)).toEqual([]);
  });

  test('has a face that gives on, by name, what others use of it, and nothing else', () => {
    expect(
      faces
        .filter(
          ({ code }) => !/^(import 'server-only';\n)?(export (type )?\{[^}]*\} from '\.\/[\w-]+';\s*)+$/.test(code),
        )
        .map(({ path: file }) => file),
    ).toEqual([]);
    const used = crossing.filter(({ from }) => !isTest(from));
    expect(
      [...shown].flatMap(([face, names]) => {
        const asked = new Set(used.filter(({ file }) => file === face).flatMap((imported) => imported.names));
        return [...names].filter((name) => !asked.has(name)).map((name) => `${face} ${name}`);
      }),
    ).toEqual([]);
  });

  test('is met at its face by everybody else; a test looks behind it for what the face does not show', () => {
    expect(
      crossing
        .filter(({ file }) => !file.endsWith('/index.ts'))
        .flatMap(({ from, file, names }) =>
          isTest(from)
            ? names
                .filter((name) => shown.get(`${kindOf(file)}/index.ts`)?.has(name))
                .map((name) => `${from} ${file} ${name}`)
            : [`${from} ${file}`],
        ),
    ).toEqual([]);
  });

  test('is known to its own noun by its files: nothing there imports the face', () => {
    expect(
      within('lib').flatMap((source) =>
        importsOf(source)
          .filter(({ file }) => shown.has(file) && nounOf(file) === nounOf(source.path))
          .map(({ file }) => `${source.path} ${file}`),
      ),
    ).toEqual([]);
  });
});

describe('a call of the API', () => {
  const routes = within('app/api').filter(({ path: file }) => file.endsWith('/route.ts'));

  test('is made by handle and by nothing else', () => {
    const exported = routes.flatMap(({ path: file, code }) =>
      code.split('\n').flatMap((line) => (line.startsWith('export') ? [`${file} ${line}`] : [])),
    );
    expect(exported.length).toBeGreaterThanOrEqual(routes.length);
    expect(
      exported.filter(
        (line) =>
          !/ export const (GET|POST|PUT|DELETE) = handle\($/.test(line) &&
          !/ export const (GET|POST|PUT|DELETE) = handle\(\{.*/.test(line),
      ),
    ).toEqual([]);
  });

  test('is named from the table alone: nothing else spells its path', () => {
    const callers = within('app', 'components', 'lib', 'worker').filter(
      ({ path: file }) => !/^(lib\/calls\.ts|lib\/http\/.*|lib\/api\/dispatch\.ts)$/.test(file),
    );
    expect(linesThat(callers, /['"`]\/api\//)).toEqual([]);
    expect(
      linesThat(within('components', 'lib/pages', 'lib/stream'), /\bsendCall\(/).map((line) => line.split(':')[0]),
    ).toEqual(['components/state/api.ts', 'components/state/api.ts', 'components/state/edit-queue.ts']);
  });

  test('is not undone by an assignment, and stands in files called route.ts or in their table', () => {
    expect(linesThat(routes, /\b(GET|POST|PUT|DELETE)\s*=(?! handle\()/)).toEqual([]);
    expect(
      within('app/api')
        .map(({ path: file }) => file)
        .filter((file) => !file.endsWith('/route.ts')),
    ).toEqual(['app/api/calls.ts']);
  });
});

describe('a component', () => {
  test('is synchronous', () => {
    expect(
      linesThat(
        within('components'),
        /\basync function [A-Z]|\bconst [A-Z]\w*(: [^=]+)? = async\b|export default async\b/,
      ),
    ).toEqual([]);
  });

  test('gets its data as props: it imports no query, command, platform, door, feed or route', () => {
    expect(
      linesThat(
        within('components'),
        /from '(@\/lib\/(platform|feeds|http|api|pages|stream|jobs|demo|program)\b|@\/lib\/[^/']+\/(queries|commands)\b|@\/app\b|kysely|pg'|server-only|node:)/,
      ),
    ).toEqual([]);
  });
});

/** The files that a source needs before it can be run: what is imported as a type, or at need, is not among them. */
const neededBy = ({ path: from, code }: Source) =>
  [...code.matchAll(/^(?:import|export)\s+(?!type\b)(?:[\w*\s{},]+?\s+from\s+)?'((?:@\/|\.)[^']*)'/gm)].flatMap(
    ([, to = '']) => resolved(from, to) ?? [],
  );

/** The first way found that leads from a file back to itself, as the files on it; null where there is none. */
function findCircle(needs: ReadonlyMap<string, readonly string[]>): string[] | null {
  const finished = new Set<string>();
  const follow = (file: string, way: readonly string[]): string[] | null => {
    if (finished.has(file)) return null;
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    for (const next of needs.get(file) ?? []) {
      const circle = follow(next, [...way, file]);
      if (circle) return circle;
    }
    finished.add(file);
    return null;
  };
  for (const file of needs.keys()) {
    const circle = follow(file, []);
    if (circle) return circle;
  }
  return null;
}

describe('a file', () => {
  test('does not need itself, by whatever way', () => {
    const needs = new Map(sources.map((source) => [source.path, neededBy(source)]));
    expect(needs.get('lib/jobs/schedule.ts')).toEqual(
      expect.arrayContaining(['lib/jobs/runner.ts', 'lib/jobs/news.ts']),
    );
    expect(findCircle(needs)).toBeNull();
    expect(
      findCircle(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'd']],
          ['d', ['b']],
        ]),
      ),
    ).toEqual(['b', 'd', 'b']);
  });

  const word = '[a-z0-9]+(?:-[a-z0-9]+)*';
  // Next gives folders their brackets, its own files and ours a second ending.
  const folder = new RegExp(
    `^(?:${word}(?:\\.${word})*|\\(${word}\\)|\\[(?:\\.\\.\\.)?[a-z][a-zA-Z]*\\]|[_~]${word})$`,
  );
  const file = new RegExp(`^_?${word}(?:\\.${word})+$`);

  test('has a name in kebab case, its folders too', () => {
    const wrong = files.filter(
      (each) => !each.split('/').every((part, index, all) => (index === all.length - 1 ? file : folder).test(part)),
    );
    expect(wrong.filter((each) => !each.endsWith('/README.md'))).toEqual([]);
  });

  test('is not named after a habit', () => {
    expect(files.filter((file) => /(^|[/.-])(managers?|helpers?|utils?|process(es)?)([.-]|\/|$)/.test(file))).toEqual(
      [],
    );
  });

  test('is no barrel: nothing but the face of a kind is called index or exports on', () => {
    // The installed app's worker is built from the file of this name.
    const isFace = (file: string) => file === `${kindOf(file)}/index.ts` || file === 'worker/index.ts';
    expect(files.filter((file) => /(^|\/)index\.[a-z]+$/.test(file) && !isFace(file))).toEqual([]);
    expect(
      breaking(
        within('app', 'components', 'lib').filter(({ path: file }) => !isFace(file)),
        ({ code }) => /^export (type )?(\*|\{[^}]*\}) from /m.test(code),
      ),
    ).toEqual([]);
  });

  test('has at most 350 lines, a file of tests twice as many', () => {
    const most = (file: string) => (file.startsWith('tests/') ? 700 : 350);
    expect(breaking(sources, ({ path: file, text }) => text.split('\n').length - 1 > most(file))).toEqual([]);
  });
});

describe('an export of lib', () => {
  test('has a sentence that says what it gives', () => {
    const bare = within('lib').flatMap(({ path: file, text }) => {
      const lines = text.split('\n');
      return lines.flatMap((line, index) => {
        const [, name] =
          /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/.exec(line) ?? [];
        if (line.startsWith('export') && name === undefined && !/^export (default|type \{|\{)/.test(line))
          return [`${file}:${index + 1} ${line}`];
        const isOverload =
          name !== undefined &&
          lines
            .slice(0, index)
            .some((earlier) => earlier.startsWith(`export function ${name}(`) && earlier.endsWith(';'));
        return name === undefined || isOverload || lines[index - 1]?.trimEnd().endsWith('*/')
          ? []
          : [`${file}:${index + 1} ${name}`];
      });
    });
    expect(bare).toEqual([]);
  });

  test('has no banner and no task for later beside it', () => {
    expect(
      within('app', 'components', 'lib', 'scripts', 'server.ts').flatMap(({ path: file, text }) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            /\b(TODO|FIXME|XXX)\b|^\s*(\/\/|\*) ?[-=*#]{4,}|eslint-disable|@ts-(ignore|expect-error|nocheck)/.test(line)
              ? [`${file}:${index + 1}`]
              : [],
          ),
      ),
    ).toEqual([]);
  });
});

describe('the outside world', () => {
  test('is asked for settings in one place, and by what starts before it', () => {
    // embedded-postgres/account hands on to the server that it starts what this program was given.
    const may =
      /^(lib\/platform\/(env|log|embedded-postgres\/account)\.ts|lib\/program\/program\.ts|scripts\/.*|(server|instrumentation)\.ts|tests\/.*|[a-z]+\.config\.(mjs|ts))$/;
    expect(
      linesThat(
        sources.filter(({ path: file }) => !may.test(file)),
        /\bprocess\.env\b/,
      ),
    ).toEqual([]);
  });

  test('is remembered on the device in two places: the tiers of storage and what a tab keeps', () => {
    const homes = ['components/state/storage.ts', 'components/state/tab-storage.ts', 'lib/http/own-scripts.ts'];
    const others = within('app', 'components', 'lib').filter(({ path: file }) => !homes.includes(file));
    expect(linesThat(others, /\b(sessionStorage|localStorage|indexedDB)\b/)).toEqual([]);
  });

  test('is written to in the words of one place: numbers are told by lib/format, in one language', () => {
    const others = within('app', 'components', 'lib').filter(
      ({ path: file }) => file !== 'lib/format.ts' && !file.startsWith('lib/platform/'),
    );
    expect(linesThat(others, /\.toLocale\w*\(|\bIntl\.NumberFormat\b/)).toEqual([]);
  });

  test('is asked for the time by the clock of the platform alone', () => {
    const others = within('lib', 'app', 'server.ts').filter(({ path: file }) => file !== 'lib/platform/clock.ts');
    expect(linesThat(others, /\bnew Date\(\s*\)|\bDate\.now\(|\bTemporal\.Now\b/)).toEqual([]);
    expect(read('lib/platform/clock.ts').code).toContain('Date.now()');
  });

  test('is told nothing of the database by what is pure: schemas and rules import none of it', () => {
    const pure = within('lib').filter(({ path: file }) => /^lib\/[^/]+\/(schema|rules)(\.ts|\/)/.test(file));
    expect(
      linesThat(
        pure,
        /from '(kysely|pg|server-only|node:|@\/lib\/(platform|feeds|http|api|pages|stream|jobs|demo|program)\b|[^']*\/(queries|commands)\b)/,
      ),
    ).toEqual([]);
  });
});
