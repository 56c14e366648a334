import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readSource } from '@/lib/content/rules/source';
import { contentKinds, type ContentSource } from '@/lib/content/schema';
import { movedTo } from '@/lib/redirects';
import { bundledBookmakers, furtherBookmakers } from '@/lib/reference/schema';
import { routeOf } from '@/lib/route-table';
import { routes } from '@/lib/routes';

const folder = path.resolve('content');

const files = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
  entry.isFile() ? [path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')] : [],
);

const pages = new Map<string, ContentSource>();
const faults: string[] = [];
for (const file of files) {
  const [folderName = '', name = ''] = file.split('/');
  const kind = contentKinds.find((each) => each === folderName);
  const { page, problems = [] } =
    kind && name.endsWith('.md')
      ? readSource(kind, name.slice(0, -3), readFileSync(path.join(folder, file), 'utf8'))
      : { page: undefined, problems: ['is in no section'] };
  faults.push(...problems.map((problem) => `${file}: ${problem}`));
  if (page) pages.set(file, page);
}

const made = routes.content('pages', 'licences');
const addresses = new Set([made, ...[...pages.values()].map(({ kind, reference }) => routes.content(kind, reference))]);
const isSection = (address: string) => contentKinds.some((kind) => address.startsWith(`/${kind}/`));

/** Whether a link of a text leads somewhere: to a page of content that is there, or to a page of the site. */
function leads(address: string): boolean {
  const [at = ''] = address.split(/[?#]/);
  return isSection(at) ? addresses.has(at) : at === '/' || routeOf(at) !== null;
}

test('every file of content can be read', () => {
  expect(files.length).toBeGreaterThan(8);
  expect(faults).toEqual([]);
});

test('every page that stands alone has its text', () => {
  const alone = [
    'about-us',
    'contact-us',
    'safer-gambling',
    'terms-and-conditions',
    'tipster-terms-and-conditions',
    'privacy-policy',
    'alerts-licences',
    'affiliates',
    'pro',
    'apps-alerts',
  ];
  expect(alone.filter((reference) => !addresses.has(routes.content('pages', reference)))).toEqual([]);
});

test('every link within the site leads to a page, and to where it is today', () => {
  const broken = [...pages].flatMap(([file, { body }]) =>
    [...body.matchAll(/\]\((\/[^)\s]*)/g)].flatMap(([, address = '']) =>
      leads(address) && movedTo(address) === null ? [] : [`${file}: ${address}`],
    ),
  );
  expect(broken).toEqual([]);
});

test('every term that another refers to is explained', () => {
  const missing = [...pages].flatMap(([file, { facts }]) =>
    'seeAlso' in facts
      ? facts.seeAlso.flatMap((reference) =>
          existsSync(path.join(folder, 'betting-terms', `${reference}.md`)) ? [] : [`${file}: ${reference}`],
        )
      : [],
  );
  expect(missing).toEqual([]);
});

test('every review is of a bookmaker that is known, and of a fictional one it says so', () => {
  const known = new Map([...bundledBookmakers, ...furtherBookmakers].map((bookmaker) => [bookmaker.id, bookmaker]));
  const wrong = [...pages].flatMap(([file, { facts, demo }]) => {
    if (!('bookmakerId' in facts)) return [];
    const bookmaker = known.get(facts.bookmakerId);
    return bookmaker?.demo === demo ? [] : [`${file}: bookmaker ${facts.bookmakerId}`];
  });
  expect(wrong).toEqual([]);
});

test('no two pages say the same of themselves', () => {
  const said = [...pages.values()].map(({ summary }) => summary);
  expect(said.filter((summary, index) => said.indexOf(summary) !== index)).toEqual([]);
});
