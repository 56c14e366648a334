import { readSource } from '@/lib/content/rules/source';
import type { ContentKind } from '@/lib/content/schema';
import { samples } from '../../support/content-samples';

const summary = 'A sentence that is long enough to stand in a list of search results.';

const file = (fields: Record<string, string>, body = 'Words.') =>
  `---\n${Object.entries({ title: 'A title', summary, published: '2026-03-01', ...fields })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n---\n\n${body}\n`;

const problemsOf = (kind: ContentKind, text: string, reference = 'a-page') =>
  readSource(kind, reference, text).problems;

describe('a source', () => {
  test('is read with what its kind has beside the text', () => {
    expect(readSource('betting-terms', 'overround', samples['betting-terms/overround.md']).page).toEqual({
      kind: 'betting-terms',
      reference: 'overround',
      title: 'What is overround?',
      summary: expect.stringMatching(/^What a page says/),
      publishedOn: '2026-03-01',
      updatedOn: null,
      demo: false,
      facts: { term: 'Overround', seeAlso: ['margin'] },
      body: expect.stringMatching(/^The sum[^]*\.$/),
    });
    expect(readSource('bookmaker-reviews', 'quillgate', samples['bookmaker-reviews/quillgate.md']).page).toMatchObject({
      demo: true,
      facts: { bookmakerId: 15, rating: 4.5, pros: ['Low margins'], cons: ['No bonus'] },
    });
  });

  test('may come from any editor: with a byte-order mark and Windows lines', () => {
    const { page } = readSource(
      'articles',
      'a-page',
      `\uFEFF${file({ sport: 'tennis' }, 'One.\n\nTwo.')}`.replaceAll('\n', '\r\n'),
    );
    expect(page).toMatchObject({ title: 'A title', facts: { sport: 'tennis' }, body: 'One.\n\nTwo.' });
  });

  test('has the apostrophes of print in its title and summary, whatever the keyboard gave', () => {
    const { page } = readSource(
      'articles',
      'a-page',
      file({ title: "A tipster's year, two tipsters' years", summary: `"It's ${summary}"` }),
    );
    expect(page).toMatchObject({ title: 'A tipster’s year, two tipsters’ years', summary: `It’s ${summary}` });
  });

  test('may have a rule of hyphens in its text', () => {
    expect(readSource('articles', 'a-page', file({}, 'One.\n\n---\n\nTwo.')).page?.body).toBe('One.\n\n---\n\nTwo.');
  });

  test('has no sport and no rating unless it names them', () => {
    expect(readSource('articles', 'a-page', file({})).page?.facts).toEqual({ sport: null });
    expect(
      readSource('bookmaker-reviews', 'a-page', file({ bookmakerId: '45', pros: '[]', cons: '[]' })).page?.facts,
    ).toEqual({ bookmakerId: 45, rating: null, pros: [], cons: [] });
  });
});

describe('a source with a fault names the field and what to do', () => {
  test.each<[string, ContentKind, string, RegExp]>([
    ['no front matter', 'articles', 'Words.', /^front matter: is missing; begin the file/],
    ['a front matter without end', 'articles', '---\ntitle: x\n\nWords.', /^front matter: is missing/],
    [
      'no YAML',
      'articles',
      '---\ntitle: a: b: "c\n---\nWords.',
      /^front matter: is no YAML .*between quotation marks$/,
    ],
    ['a list for front matter', 'articles', '---\n- one\n---\nWords.', /^front matter: /],
    ['a short summary', 'articles', file({ summary: 'Short.' }), /^summary: the summary needs 50 characters at least$/],
    [
      'a long summary',
      'articles',
      file({ summary: 'x'.repeat(161) }),
      /^summary: the summary may have 160 characters at most$/,
    ],
    ['no title', 'articles', file({ title: '[]' }), /^title: the title must be given as text$/],
    ['a day that is none', 'articles', file({ published: '2026-02-30' }), /^published: must be a date such as/],
    [
      'an update before it was published',
      'articles',
      file({ updated: '2026-02-01' }),
      /^updated: must not be before published$/,
    ],
    ['a sport that is none', 'articles', file({ sport: 'chess' }), /^sport: must be the reference of a sport/],
    ['a field of another kind', 'articles', file({ rating: '4' }), /rating/],
    ['a definition without its term', 'betting-terms', file({}), /^term: /],
    [
      'a reference that is none',
      'betting-terms',
      file({ term: 'Odds', seeAlso: '[Over Round]' }),
      /^seeAlso\.0: must be lowercase words/,
    ],
    [
      'a rating in quarters',
      'bookmaker-reviews',
      file({ bookmakerId: '15', rating: '4.25', pros: '[]', cons: '[]' }),
      /^rating: must be in halves/,
    ],
    ['demo in words', 'articles', file({ demo: '"yes"' }), /^demo: must be true or false$/],
    ['no text', 'articles', file({}, ''), /^text: is missing/],
    ['a text without end', 'articles', file({}, 'x'.repeat(100_001)), /^text: may have 100000 characters/],
  ])('%s', (_, kind, text, problem) => {
    expect(problemsOf(kind, text)).toEqual([expect.stringMatching(problem)]);
  });

  test('a file name that cannot be an address', () => {
    expect(problemsOf('articles', file({}), 'A Page')).toEqual([
      expect.stringMatching(/^file name: must be lowercase words/),
    ]);
  });

  test('several faults at once', () => {
    expect(problemsOf('articles', file({ title: '""', summary: 'x', published: 'soon' }, ''))).toHaveLength(4);
  });
});
