import { licencesPage } from '@/lib/content/rules/licences';
import { readFileSync } from 'node:fs';

const day = '2026-03-01';
const manifest = {
  dependencies: { kept: '1.0.0', missing: '1.0.0' },
  optionalDependencies: { native: '2.0.0' },
  devDependencies: { tester: '3.0.0' },
};
const lock = {
  packages: {
    '': { name: 'project' },
    'node_modules/kept': { version: '1.0.0', license: 'MIT' },
    'node_modules/kept/node_modules/@scope/below': { version: '0.1.0', license: 'ISC' },
    'node_modules/@scope/below': { version: '0.2.0', license: 'ISC' },
    'node_modules/other/node_modules/kept': { version: '0.9.0', license: 'MIT' },
    'node_modules/native': { version: '2.0.0', optional: true },
    'node_modules/tester': { version: '3.0.0', license: 'MIT', dev: true },
    'node_modules/near': { resolved: 'near', link: true },
  },
};

describe('the page of licences', () => {
  const { body } = licencesPage(manifest, lock, day);

  test('names first what the project names, in the version that it finds', () => {
    expect(body.split('\n').filter((line) => line.startsWith('| ['))).toEqual([
      '| [kept](https://www.npmjs.com/package/kept) | 1.0.0 | MIT |',
      '| [native](https://www.npmjs.com/package/native) | 2.0.0 | Not stated in the package |',
    ]);
  });

  test('counts and names every package by its licence, and none that is there for tests or is no package', () => {
    expect(body).toContain('There are 5 packages');
    expect(body).toContain('### ISC (2)\n\n`@scope/below 0.1.0`, `@scope/below 0.2.0`');
    expect(body).toContain('### MIT (2)\n\n`kept 0.9.0`, `kept 1.0.0`');
    expect(body).toContain('### Not stated in the package (1)\n\n`native 2.0.0`');
    expect(body).not.toMatch(/tester|near/);
  });

  test('is made from the files of this project', () => {
    const [own, packages] = ['package.json', 'package-lock.json'].map(
      (name) => JSON.parse(readFileSync(name, 'utf8')) as { dependencies: Record<string, string> },
    );
    const page = licencesPage(own, packages, day);
    for (const [name, version] of Object.entries(own?.dependencies ?? {}))
      expect(page.body).toContain(`| [${name}](https://www.npmjs.com/package/${name}) | ${version} |`);
    expect(page.body).not.toContain('html-validate');
  });

  test('refuses files that npm did not write', () => {
    expect(() => licencesPage({}, { packages: [] }, day)).toThrow();
    expect(() => licencesPage('no', lock, day)).toThrow();
  });
});
