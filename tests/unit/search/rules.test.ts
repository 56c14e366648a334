import fc from 'fast-check';
import { highlight, meaningsOf, readQuestion } from '@/lib/search/rules';
import { entryOf, type SearchSource, sportSources } from '@/lib/search/rules/entry';
import { foldTitle, foldWords, popularityOf, writeConditions, writeWords } from '@/lib/search/rules/questions';
import { distanceToBeginning, forgivenLetters, similarWords } from '@/lib/search/rules/spelling';
import { searchKinds } from '@/lib/search/schema';

describe('the words of a text', () => {
  test.each([
    ['Manchester United', ['manchester', 'united']],
    ['1. FC Köln', ['1', 'fc', 'koln']],
    ["Nott'm Forest", ['nottm', 'forest']],
    ['Brighton & Hove', ['brighton', 'and', 'hove']],
    ['WEIẞ Brøndby Łódź', ['weiss', 'brondby', 'lodz']],
    ['Ｆｕｌｌ ｗｉｄｔｈ', ['full', 'width']],
    ['Спартак Москва', ['спартак', 'москва']],
    ['x\u0000y\uD800z', ['x', 'y', 'z']],
    ["'; drop table fixture; --", ['drop', 'table', 'fixture']],
    ['!!! ⚽', []],
  ])('of %j are %j', (text, words) => {
    expect(foldWords(text)).toEqual(words);
  });

  test('are the same when they are folded again, and hold nothing but letters and digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = foldWords(text);
        expect(foldWords(words.join(' '))).toEqual(words);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]{1,40}$/u);
      }),
    );
  });
});

describe('a question', () => {
  test('leaves out what says nothing, unless there is nothing else', () => {
    expect(readQuestion(' Arsenal  FC vs. The Chelsea ')).toEqual({
      text: 'Arsenal FC vs. The Chelsea',
      folded: 'arsenal chelsea',
      words: ['arsenal', 'chelsea'],
    });
    expect(readQuestion('the fc').words).toEqual(['the', 'fc']);
    expect(foldTitle('Arsenal v Chelsea')).toBe(readQuestion('arsenal chelsea').folded);
  });

  test('counts its first hundred characters and eight words', () => {
    expect(readQuestion('a1 b2 c3 d4 e5 f6 g7 h8 i9').words).toHaveLength(8);
    expect(readQuestion('⚽'.repeat(300)).text).toBe('⚽'.repeat(100));
  });

  test('means also what its abbreviations are short for, and nothing that every object has', () => {
    expect(meaningsOf('utd')).toEqual(['utd', 'united']);
    expect(meaningsOf('constructor')).toEqual(['constructor']);
    expect(writeConditions([['man'], ['utd', 'united']])).toEqual({
      begun: "('man':*) & ('utd':* | 'united':*)",
      some: "('man':*) | ('utd':* | 'united':*)",
      whole: "('man') & ('utd' | 'united')",
    });
  });

  test('makes conditions that no text can break out of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { begun } = writeConditions(readQuestion(text).words.map(meaningsOf));
        expect(begun).toMatch(/^(\(('[\p{L}\p{N}]+':\*( \| )?)+\)( & )?)*$/u);
        expect(writeWords(text)).toMatch(/^('[\p{L}\p{N}]+'( |$))*$/u);
      }),
    );
  });
});

describe('spelling', () => {
  test.each([
    ['arsenal', 'arsenal', 0],
    ['arse', 'arsenal', 0],
    ['aresnal', 'arsenal', 1],
    ['arsnal', 'arsenal', 1],
    ['arssenal', 'arsenal', 1],
    ['arsenol', 'arsenal', 1],
    ['manchse', 'manchester', 1],
    ['chelsea', 'che', 4],
    ['', 'arsenal', 0],
  ])('%j is so far from a beginning of %j: %i', (sought, word, distance) => {
    expect(distanceToBeginning(sought, word)).toBe(distance);
  });

  test('is never farther off than the longer of both, and not at all from a beginning', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (one, other) => {
        expect(distanceToBeginning(one, other)).toBeLessThanOrEqual(
          Math.max(Array.from(one).length, Array.from(other).length),
        );
        expect(distanceToBeginning(one, one + other)).toBe(0);
      }),
    );
  });

  test('forgives nothing in short words and numbers, one letter in middling words, two in long ones', () => {
    expect(['cup', '2024', 'golf', 'tennis', 'arsenal'].map(forgivenLetters)).toEqual([0, 0, 1, 1, 2]);
  });

  test('takes the words with the fewest wrong letters, three at most', () => {
    expect(similarWords('aresnal', ['arsenic', 'arsenal', 'aresnal', 'zebra'])).toEqual(['arsenal']);
    expect(similarWords('golg', ['golf', 'gold', 'goly', 'golt'])).toEqual(['golf', 'gold', 'goly']);
    expect(similarWords('cap', ['cup'])).toEqual([]);
  });
});

describe('highlighting', () => {
  test.each([
    ['Manchester United v Arsenal', ['man', 'utd', 'united'], ['Man', 'United']],
    ['1. FC Köln', ['kol'], ['Köl']],
    ['Ko\u0308ln', ['ko'], ['Ko\u0308']],
    ["Nott'm Forest", ['nottm'], ["Nott'm"]],
    ['Weiß', ['weiss'], ['Weiß']],
    ['Arsenal', [], []],
    ['Roman', ['man'], []],
  ])('in %j for %j marks %j', (text, terms, marked) => {
    expect(highlight(text, terms).flatMap((piece) => (piece.found ? [piece.text] : []))).toEqual(marked);
  });

  test('changes nothing of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), (text, terms) => {
        expect(
          highlight(text, terms.flatMap(foldWords))
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('an entry', () => {
  const source: SearchSource = {
    ...{
      kind: 'fixture',
      reference: 'wolves-v-arsenal-2026-03-14',
      title: 'Wolves v Arsenal',
      names: ['Wolves', 'Arsenal'],
      otherNames: '',
      belongsTo: 'Premier League England',
    },
    ...{
      place: 'Premier League',
      sportId: 1,
      measure: 1,
      startsAt: '2026-03-14T15:00:00.000Z',
      startTimeKnown: true,
      demo: false,
    },
  };

  test('is found by what clubs are also called, and helped by its league and sport', () => {
    const { names, words, detail, path, folded } = entryOf(source);
    expect(names.split(' ')).toEqual(expect.arrayContaining(["'wolverhampton'", "'wanderers'", "'arsenal'"]));
    expect(names).not.toContain('premier');
    expect(words.split(' ')).toEqual(expect.arrayContaining(["'premier'", "'england'", "'football'", "'soccer'"]));
    expect({ detail, path, folded }).toEqual({
      detail: 'Premier League · Football',
      path: '/fixture/wolves-v-arsenal-2026-03-14',
      folded: 'wolves arsenal',
    });
  });

  test('leads to where its kind is shown', () => {
    const pathOf = (more: Partial<SearchSource>) => entryOf({ ...source, ...more }).path;
    expect(pathOf({ kind: 'league', reference: 'england-premier-league' })).toBe(
      '/football/league/england-premier-league',
    );
    expect(pathOf({ kind: 'portfolio', reference: 'ann' })).toBe('/tipster/ann');
    expect(pathOf({ kind: 'page', reference: 'betting-terms/each-way', sportId: null })).toBe(
      '/betting-terms/each-way',
    );
    expect(pathOf({ kind: 'page', reference: 'pages/about-us', sportId: null })).toBe('/about-us');
    expect(sportSources.map((sport) => entryOf(sport).path)).toContain('/horse-racing');
  });

  test('of a sport is there for every sport on offer and no other', () => {
    expect(sportSources).toHaveLength(20);
    expect(sportSources.map(({ reference }) => reference)).not.toContain('australian-rules');
  });

  test('is more popular the higher its league stands and the more follow it, and always from 0 to 100', () => {
    expect(popularityOf('league', { measure: 1, sportRank: 1 })).toBeGreaterThan(
      popularityOf('league', { measure: 500, sportRank: 1 }),
    );
    expect(popularityOf('portfolio', { measure: 50, sportRank: 21 })).toBeGreaterThan(
      popularityOf('portfolio', { measure: 5, sportRank: 21 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...searchKinds),
        fc.nat(),
        fc.integer({ min: 1, max: 21 }),
        (kind, measure, sportRank) => {
          const popularity = popularityOf(kind, { measure, sportRank });
          expect(Number.isInteger(popularity) && popularity >= 0 && popularity <= 100).toBe(true);
        },
      ),
    );
  });
});
