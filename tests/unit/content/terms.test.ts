import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { linkedTerms } from '@/lib/content/schema/terms';

const sources = ['app', 'components'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8')),
);

test('every term that the interface leads from has its page', () => {
  expect(linkedTerms.filter((term) => !existsSync(`content/betting-terms/${term}.md`))).toEqual([]);
});

test('every one of them is led from somewhere', () => {
  expect(
    linkedTerms.filter(
      (term) => !sources.some((source) => source.includes(`'${term}'`) || source.includes(`"${term}"`)),
    ),
  ).toEqual([]);
});

test('no figure that needs explaining stands under a bare word', () => {
  const words = 'Yield|Strike rate|Average odds|Max drawdown|Closing line value|No-vig CLV|Starting price|Closing';
  const bare = new RegExp(`(<FigureHead>|<th scope="(col|row)">|<Stat label=")\\s*(${words})\\b[^<"]*("(?! term)|<)`);
  expect(sources.flatMap((source) => bare.exec(source)?.[0] ?? [])).toEqual([]);
});
