import { ownBookmakerSchema } from '@/lib/bets/schema/bets';
import { bookmakerOrderSchema, helpLineOrderSchema, lineSchema, markdownSchema } from '@/lib/content/schema';
import { contentFacts, frontMatterSchema } from '@/lib/content/schema/pages';
import { linesText } from '@/lib/content/schema/text';
import { portfolioInputSchema } from '@/lib/portfolios/schema';
import { postBodySchema } from '@/lib/posts/schema';
import { rulingReasonSchema } from '@/lib/settlement/schema/settings';
import { tipBodySchema } from '@/lib/tips/schema';

const leg = { fixtureReference: 'a-v-b-2026-03-10', selectionId: 1, bookmakerId: 1, oddsThousandths: 2000 };

const order = { revision: '0', showOnMarkets: 'true', showOnLiveOdds: 'true', showOnAddTips: 'true', rank: '1' };
const takesOfBookmaker = (field: string) => (text: string) =>
  bookmakerOrderSchema.safeParse({ action: 'bookmaker.edit', ...order, [field]: text }).success;
const takesOfReview = (field: string) => (text: string) =>
  contentFacts['bookmaker-reviews'].safeParse({ bookmakerId: 1, pros: [], cons: [], [field]: [text] }).success;

/** Every place in which somebody writes a text: of one line, or of several. */
const lines: [string, (text: string) => boolean][] = [
  ['a line', (text) => lineSchema('the line', { shortest: 0, longest: 100 }).safeParse(text).success],
  ['the name of a portfolio', (name) => portfolioInputSchema.safeParse({ name }).success],
  ['the title of a post', (title) => postBodySchema.safeParse({ title, body: 'A text.' }).success],
  ['the name of a bookmaker', (name) => ownBookmakerSchema.safeParse(name).success],
  ['the reason of a ruling', (reason) => rulingReasonSchema.safeParse(reason).success],
  ['the title of a page', (title) => frontMatterSchema.shape.title.safeParse(title).success],
  ['the term of a definition', (term) => contentFacts['betting-terms'].safeParse({ term }).success],
  ['what speaks for a bookmaker', takesOfReview('pros')],
  ['what speaks against a bookmaker', takesOfReview('cons')],
  ['the offer of a bookmaker', takesOfBookmaker('bonusOffer')],
  [
    'the name of a help line',
    (name) => helpLineOrderSchema.safeParse({ action: 'help-line.edit', revision: '0', shown: 'true', name }).success,
  ],
];
const texts: [string, (text: string) => boolean][] = [
  ['a text', (text) => markdownSchema('the text', { longest: 100 }).safeParse(text).success],
  ['an analysis', (analysis) => tipBodySchema.safeParse({ legs: [leg], stakeHundredths: 100, analysis }).success],
  ['the text of a post', (body) => postBodySchema.safeParse({ title: 'A title', body }).success],
  [
    'the description of a portfolio',
    (description) => portfolioInputSchema.safeParse({ name: 'Ann', description }).success,
  ],
  ['the terms of a bookmaker', takesOfBookmaker('bonusTerms')],
  ['the description of a bookmaker', takesOfBookmaker('description')],
  ['the points of a bookmaker', takesOfBookmaker('bulletPoints')],
  ['a welcome', (welcomeMessage) => portfolioInputSchema.safeParse({ name: 'Ann', welcomeMessage }).success],
  [
    'a welcome of members',
    (premiumWelcomeMessage) => portfolioInputSchema.safeParse({ name: 'Ann', premiumWelcomeMessage }).success,
  ],
];

const controls = [
  ...Array.from({ length: 32 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, code) => 0x7f + code),
].map((code) => String.fromCharCode(code));
const invisible = [
  '\u200b\u200b\u200b',
  '\u200d \u200c',
  '\u00ad\u00ad\u00ad',
  '\u2060\u2060\u2060',
  '\u3164\u3164\u3164',
  '\u2800\u2800\u2800',
  '\u034f\ufe0f\u034f',
  '\u{e0020}\u{e0041}\u{e007f}',
  '\u200e\u200f\u200e',
];

describe.each([...lines, ...texts])('%s', (_, takes) => {
  test('takes what people write, in any script', () => {
    for (const text of [
      'Plain',
      'Łódź – żółw',
      'فريق الأهلي',
      '日本代表',
      '👩‍👩‍👧 won',
      'e\u0301te\u0301',
      'क्षत्रिय',
      '  about it  ',
    ])
      expect([text, takes(text)]).toEqual([text, true]);
  });

  test('takes no half of a character', () => {
    for (const text of ['abc\ud800', '\udc00abc', 'ab\udc00\ud800c'])
      expect([text, takes(text)]).toEqual([text, false]);
  });

  test('takes nothing that is no character', () => {
    for (const code of [0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x10ffff])
      expect([code, takes(`abc${String.fromCodePoint(code)}def`)]).toEqual([code, false]);
    for (const code of [0xfdcf, 0xfdf0, 0xfffd, 0x10000])
      expect([code, takes(`abc${String.fromCodePoint(code)}def`)]).toEqual([code, true]);
  });

  test('takes nothing that nobody sees', () => {
    for (const text of invisible) expect([JSON.stringify(text), takes(text)]).toEqual([JSON.stringify(text), false]);
  });
});

test.each([...lines, ...texts])('%s takes no control character but line breaks and tabs', (_, takes) => {
  expect(controls.filter((character) => takes(`abc${character}def`))).toEqual(['\t', '\n', '\r']);
});

test('line breaks and tabs stay in a text, and are blanks in a line', () => {
  expect(markdownSchema('the text', { longest: 9 }).parse('a\r\n\tb\rc')).toBe('a\n\tb\nc');
  expect(lineSchema('the line', { shortest: 1, longest: 9 }).parse('a\r\n\tb\rc')).toBe('a b c');
});

test('a text of blanks is an empty one', () => {
  expect(markdownSchema('the text', { longest: 9 }).parse(' \n\t ')).toBe('');
  expect(lineSchema('the line', { shortest: 1, longest: 9 }).safeParse('  ').success).toBe(false);
  expect(lineSchema('the line', { shortest: 1, longest: 9 }).parse(' a \u00a0 b\n')).toBe('a b');
});

test('what misleads the eye is left out of what staff write', () => {
  expect(frontMatterSchema.shape.title.parse('Good\u202e odds\u200b')).toBe('Good odds');
  expect(frontMatterSchema.shape.summary.parse(`${'One blank and a mark. '.repeat(3)}\u202e`)).not.toContain('\u202e');
  expect(frontMatterSchema.shape.summary.safeParse(`${'\u200b'.repeat(50)}x`).success).toBe(false);
  expect(contentFacts['betting-terms'].parse({ term: '\u202eOdds\u00ad' }).term).toBe('Odds');
  const { bonusOffer, bulletPoints } = bookmakerOrderSchema.parse({
    action: 'bookmaker.edit',
    ...order,
    bonusOffer: ' Bet\u2066 10\n\u200bget 20',
    bulletPoints: 'One\u202e\r\n\u200b\n\u2800\n\tTwo  words ',
  });
  expect([bonusOffer, bulletPoints]).toEqual(['Bet 10 get 20', ['One', 'Two words']]);
  expect(linesText('the points').parse(' \n ')).toEqual([]);
});
