import { z } from 'zod';
import type { ContentSource } from '../schema/pages';

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
});

/** `top` is true where the project itself finds the package, not another package. */
type Package = { name: string; version: string; licence: string; top: boolean };

const notStated = 'Not stated in the package';
const afterModules = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

function shippedPackages(lock: z.infer<typeof lockSchema>): Package[] {
  const found = new Map<string, Package>();
  for (const [place, { version = '', license = notStated, dev, devOptional, link }] of Object.entries(lock.packages)) {
    const name = afterModules.exec(place)?.[1];
    const top = place === `node_modules/${name}`;
    const key = `${name} ${version}`;
    if (name && !dev && !devOptional && !link)
      found.set(key, { name, version, licence: license, top: top || found.get(key)?.top === true });
  }
  return [...found.values()].sort((a, b) =>
    a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1,
  );
}

const named = ({ name, version }: Package) => `${name} ${version}`;

/** The page of licences from the package files as npm writes them: the packages that the project names, then all that belong to them, by licence; those for tests alone are left out. Throws a ZodError for other files. */
export function licencesPage(manifest: unknown, lock: unknown, day: string): ContentSource<'pages'> {
  const { dependencies, optionalDependencies } = manifestSchema.parse(manifest);
  const all = shippedPackages(lockSchema.parse(lock));
  const asked = new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
  const direct = all.filter(({ name, top }) => top && asked.has(name));
  const licences = [...new Set(all.map(({ licence }) => licence))]
    .map((licence) => ({ licence, own: all.filter((one) => one.licence === licence) }))
    .sort((a, b) => b.own.length - a.own.length || (a.licence < b.licence ? -1 : 1));
  const body = [
    'Tipledger is built on the work of others, given away under open licences. This page is made from the list of packages that this installation was set up with, so that it names what is really here.',
    `There are ${all.length} packages, in the versions shown. The full text of each licence is in the package itself; npm, where the packages come from, shows it too. Some are there only for one kind of computer, and some only build the site.`,
    '## Packages that the project names',
    [
      '| Package | Version | Licence |',
      '|---|---|---|',
      ...direct.map(
        ({ name, version, licence }) =>
          `| [${name}](https://www.npmjs.com/package/${name}) | ${version} | ${licence} |`,
      ),
    ].join('\n'),
    '## All packages by licence',
    ...licences.flatMap(({ licence, own }) => [
      `### ${licence} (${own.length})`,
      own.map((one) => `\`${named(one)}\``).join(', '),
    ]),
  ].join('\n\n');
  return {
    kind: 'pages',
    reference: 'licences',
    title: 'Licences of what we use',
    summary:
      'The open-source packages that this site is built on, with the version and the licence of each, from the list that it was installed with.',
    publishedOn: day,
    updatedOn: null,
    demo: false,
    facts: {},
    body,
  };
}
