import { sql } from 'kysely';
import { storeContent } from '@/lib/content/commands';
import type { StoredContent } from '@/lib/content/commands/store';
import { getContent, listContent } from '@/lib/content/queries';
import { contentAPage } from '@/lib/content/queries/pages';
import { database, transact } from '@/lib/platform/database';
import { samples, withProject } from '../support/content-samples';
import { onTestDatabase, undone } from '../support/database';
import { worldNow } from '../support/world';

onTestDatabase();

const store = async (files: Record<string, string>, demo = true, release = 'one'): Promise<StoredContent> => {
  let stored: StoredContent | null = null;
  await withProject(files, async (folder) => void (stored = await storeContent(folder, { demo, release }, worldNow)));
  if (!stored) throw new Error('Nothing was stored.');
  return stored;
};

const article = (title: string, published: string, more = '') =>
  `---\ntitle: ${title}\nsummary: ${title} in a sentence that is long enough for a list of results.\npublished: ${published}\n${more}---\n\nWords about it.\n`;

const overround = 'betting-terms/overround.md';
const titleOf = async () => (await getContent('betting-terms', 'overround')).title;
const forget = () => sql`delete from content_page`.execute(database());

describe('storing content', () => {
  test(
    'puts every file and the licences into the database, once',
    undone(async () => {
      expect(await store(samples)).toEqual({ changed: 4, removed: 0, problems: [] });
      expect(await store(samples)).toEqual({ changed: 0, removed: 0, problems: [] });
      expect(await getContent('bookmaker-reviews', 'quillgate')).toMatchObject({
        kind: 'bookmaker-reviews',
        title: 'Quillgate reviewed',
        publishedOn: '2026-03-03',
        updatedOn: null,
        demo: true,
        facts: { bookmakerId: 15, rating: 4.5, pros: ['Low margins'], cons: ['No bonus'] },
        body: expect.stringMatching(/^Quillgate is a fictional firm/),
      });
      expect((await getContent('pages', 'licences')).body).toContain(
        '| [kept](https://www.npmjs.com/package/kept) | 1.0.0 | MIT |',
      );
    }),
  );

  test(
    'takes over a file that has changed, and no other',
    undone(async () => {
      await store(samples);
      expect(
        await store({
          ...samples,
          [overround]: samples[overround].replace('What is overround?', 'Overround explained'),
        }),
      ).toMatchObject({ changed: 1, removed: 0 });
      expect(await titleOf()).toBe('Overround explained');
    }),
  );

  test(
    'reads the same files again for a new release, and after a fault',
    undone(async () => {
      await store(samples);
      await sql`update content_page set title = 'Not of its file', source_hash = 'x' where reference = 'overround'`.execute(
        database(),
      );
      await store(samples);
      expect(await titleOf()).toBe('Not of its file');
      await store(samples, true, 'two');
      expect(await titleOf()).toBe('What is overround?');
      await store(
        {
          ...samples,
          [overround]: samples[overround].replace('What is overround?', 'Overround explained'),
          'notes.txt': 'x',
        },
        true,
        'two',
      );
      expect(await titleOf()).toBe('Overround explained');
      await store(samples, true, 'two');
      expect(await titleOf()).toBe('What is overround?');
    }),
  );

  test(
    'leaves alone what staff have edited, changed and deleted files alike',
    undone(async () => {
      await store(samples);
      await sql`update content_page set title = 'As staff wrote it', edited = true where reference = 'overround'`.execute(
        database(),
      );
      await store({ ...samples, [overround]: samples[overround].replace('What is overround?', 'Overround explained') });
      expect(await titleOf()).toBe('As staff wrote it');
      const { [overround]: _, ...others } = samples;
      expect(await store(others)).toMatchObject({ changed: 0, removed: 0 });
      expect(await titleOf()).toBe('As staff wrote it');
    }),
  );

  test(
    'removes what has lost its file, and not what staff wrote themselves',
    undone(async () => {
      await store(samples);
      await sql`insert into content_page (kind, reference, title, summary, body, published_on, demo, facts) select kind, 'by-staff', title, summary, body, published_on, demo, facts from content_page where reference = 'overround'`.execute(
        database(),
      );
      const { [overround]: _, ...others } = samples;
      expect(await store(others)).toMatchObject({ changed: 0, removed: 1 });
      await expect(titleOf()).rejects.toMatchObject({ kind: 'missing' });
      expect((await getContent('betting-terms', 'by-staff')).title).toBe('What is overround?');
    }),
  );

  test(
    'names a file with a fault, and keeps the page as it was and all others',
    undone(async () => {
      await store(samples);
      const broken = {
        ...samples,
        [overround]: samples[overround].replace(/^summary: .*$/m, 'summary: Short.'),
        'gossip/rumour.md': 'x',
        'notes.txt': 'x',
        'articles/one.md': article('One', '2026-03-01'),
      };
      const { changed, removed, problems } = await store(broken);
      expect({ changed, removed }).toEqual({ changed: 1, removed: 0 });
      expect(problems.toSorted()).toEqual([
        'content/betting-terms/overround.md: summary: the summary needs 50 characters at least',
        expect.stringMatching(
          /^content\/gossip\/rumour\.md: is in no section; name it content\/<kind>\/<reference>\.md/,
        ),
        expect.stringMatching(/^content\/notes\.txt: is in no section/),
      ]);
      expect(await titleOf()).toBe('What is overround?');
    }),
  );

  test(
    'removes nothing when the folder is not there, and says so',
    undone(async () => {
      await store(samples);
      const stored = await storeContent('/nowhere/at/all', { demo: true, release: 'one' }, worldNow);
      expect(stored).toEqual({
        changed: 0,
        removed: 0,
        problems: [
          expect.stringMatching(/^content: the folder cannot be read/),
          expect.stringMatching(/^package-lock\.json: cannot be read/),
        ],
      });
      expect(await store({})).toMatchObject({
        changed: 0,
        removed: 0,
        problems: [expect.stringMatching(/^content: /)],
      });
      expect(await titleOf()).toBe('What is overround?');
    }),
  );

  test(
    'adds no fictional page where there is no demo world, and removes none that is there',
    undone(async () => {
      expect(await store(samples, false)).toMatchObject({ changed: 3 });
      await expect(getContent('bookmaker-reviews', 'quillgate')).rejects.toMatchObject({ kind: 'missing' });
      await store(samples);
      expect(await store(samples, false)).toMatchObject({ changed: 0, removed: 0 });
      expect((await getContent('bookmaker-reviews', 'quillgate')).demo).toBe(true);
    }),
  );

  test('is done once by programs that start together, and shows at once what was kept before', async () => {
    await store({ [overround]: samples[overround] });
    expect(await titleOf()).toBe('What is overround?');
    const renamed = { [overround]: samples[overround].replace('What is overround?', 'Overround explained') };
    const stored = await Promise.all([1, 2, 3, 4].map(() => store(renamed)));
    expect(stored.map(({ changed }) => changed).toSorted()).toEqual([0, 0, 0, 1]);
    expect(await titleOf()).toBe('Overround explained');
    await transact(async () => void (await forget()));
  });
});

describe('a list of pages', () => {
  const titles = async (kind: 'articles' | 'betting-guides' | 'betting-terms' | 'bookmaker-reviews') =>
    (await listContent(kind, { skip: 0 })).items.map(({ title }) => title);

  test(
    'has the newest article first, and guides by the alphabet whatever their case',
    undone(async () => {
      const dated = {
        'articles/old.md': article('Old', '2026-01-01'),
        'articles/new.md': article('New', '2026-03-01'),
        'articles/mid.md': article('Mid', '2026-02-01'),
      };
      await store({
        ...dated,
        'betting-guides/b.md': article('beta', '2026-01-01'),
        'betting-guides/a.md': article('Alpha', '2026-01-02'),
        'betting-guides/g.md': article('Gamma', '2026-01-03'),
      });
      expect(await titles('articles')).toEqual(['New', 'Mid', 'Old']);
      expect(await titles('betting-guides')).toEqual(['Alpha', 'beta', 'Gamma']);
    }),
  );

  test(
    'has terms by the term and reviews by the verdict, the unrated last',
    undone(async () => {
      const review = (title: string, rating: string) =>
        article(title, '2026-01-01', `bookmakerId: 15\npros: []\ncons: []\nrating: ${rating}\n`);
      await store({
        'betting-terms/z.md': article('A title', '2026-01-01', 'term: Zero\n'),
        'betting-terms/a.md': article('Z title', '2026-01-01', 'term: ante-post\n'),
        'bookmaker-reviews/a.md': review('Unrated', 'null'),
        'bookmaker-reviews/b.md': review('Fair', '3'),
        'bookmaker-reviews/c.md': review('Good', '4.5'),
      });
      expect(await titles('betting-terms')).toEqual(['Z title', 'A title']);
      expect(await titles('bookmaker-reviews')).toEqual(['Good', 'Fair', 'Unrated']);
    }),
  );

  test(
    'comes in parts, none of its pages twice or left out',
    undone(async () => {
      const count = contentAPage * 2 + 1;
      await store(
        Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            `articles/n-${index}.md`,
            article(`Number ${index}`, '2026-03-01'),
          ]),
        ),
      );
      const seen: string[] = [];
      for (let skip: number | null = 0; skip !== null; ) {
        const part: Awaited<ReturnType<typeof listContent<'articles'>>> = await listContent('articles', { skip });
        seen.push(...part.items.map(({ reference }) => reference));
        skip = part.next;
      }
      expect(seen).toHaveLength(count);
      expect(new Set(seen).size).toBe(count);
      expect(await listContent('articles', { skip: count })).toEqual({ items: [], next: null });
    }),
  );
});

describe('a page', () => {
  test(
    'has its neighbours in the order of its section',
    undone(async () => {
      await store({
        'articles/old.md': article('Old', '2026-01-01'),
        'articles/new.md': article('New', '2026-03-01'),
        'articles/mid.md': article('Mid', '2026-02-01'),
      });
      expect(await getContent('articles', 'mid')).toMatchObject({
        previous: { kind: 'articles', reference: 'new', title: 'New' },
        next: { kind: 'articles', reference: 'old', title: 'Old' },
      });
      expect(await getContent('articles', 'new')).toMatchObject({ previous: null, next: { reference: 'mid' } });
    }),
  );

  test(
    'belongs with what it names, then with what links to it, and with articles of its sport',
    undone(async () => {
      const tennis = 'sport: tennis\n';
      await store({
        ...samples,
        'articles/one.md': article('One', '2026-03-01', tennis),
        'articles/two.md': article('Two', '2026-03-02', tennis),
        'articles/golf.md': article('Golf', '2026-03-03', 'sport: golf\n'),
      });
      expect((await getContent('betting-terms', 'overround')).related).toEqual([
        { kind: 'betting-terms', reference: 'margin', title: 'What is a margin?' },
        { kind: 'bookmaker-reviews', reference: 'quillgate', title: 'Quillgate reviewed' },
      ]);
      expect((await getContent('betting-terms', 'margin')).related.map(({ reference }) => reference)).toEqual([
        'overround',
      ]);
      expect((await getContent('articles', 'one')).related.map(({ reference }) => reference)).toEqual(['two']);
      expect((await getContent('articles', 'golf')).related).toEqual([]);
    }),
  );

  test(
    'that is not there is missing, as is one of another section or of no possible name',
    undone(async () => {
      await store(samples);
      for (const reference of ['nothing', 'quillgate', 'Overround', '', '../overround', "x' or 1=1", 'x'.repeat(101)]) {
        await expect(getContent('betting-terms', reference)).rejects.toMatchObject({ kind: 'missing' });
      }
    }),
  );
});
