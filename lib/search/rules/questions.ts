import { searchLimits, type SearchKind } from '../schema/kinds';

// Letters that stay letters of their own when their marks are taken off.
const spelling: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', ı: 'i', æ: 'ae', œ: 'oe', đ: 'd', ð: 'd', þ: 'th' };

const longestWord = 40;
const mostWords = 8;

/** The words of a text in lower case, without accents, apostrophes and full stops; letters and digits of every script are kept. */
export function foldWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’.]/gu, '')
    .replace(/[ßøłıæœđðþ]/g, (letter) => spelling[letter] ?? letter)
    .replace(/&/g, ' and ');
  return plain
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => (word === '' ? [] : [Array.from(word).slice(0, longestWord).join('')]));
}

const noise = new Set(['v', 'vs', 'versus', 'the', 'of', 'and', 'fc', 'afc', 'cf']);

/** The words without those that say nothing, such as "v" and "FC", unless there are no others. */
export function tellingWords(words: readonly string[]): string[] {
  const telling = words.filter((word) => !noise.has(word));
  return telling.length > 0 ? telling : [...words];
}

/** A text as titles are compared: its telling words with a space between. */
export function foldTitle(text: string): string {
  return tellingWords(foldWords(text)).join(' ');
}

/** What is asked: the text as it is shown, as titles are compared with it, and the words to look for; no words when it holds no letter or digit. */
export type Question = { text: string; folded: string; words: string[] };

/** Reads a question; only its first hundred characters and its first eight words count. */
export function readQuestion(text: string): Question {
  const shown = Array.from(text.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim())
    .slice(0, searchLimits.longestQuestion)
    .join('');
  const words = tellingWords(foldWords(shown)).slice(0, mostWords);
  return { text: shown, folded: words.join(' '), words: [...new Set(words)] };
}

const abbreviations = new Map([
  ['utd', 'united'],
  ['weds', 'wednesday'],
  ['rvs', 'rovers'],
  ['intl', 'international'],
]);

/** What a word of a question may stand for: itself, and what it is short for. */
export function meaningsOf(word: string): string[] {
  const whole = abbreviations.get(word);
  return whole === undefined ? [word] : [word, whole];
}

/** The words of texts in the notation of a tsvector. */
export function writeWords(...texts: readonly string[]): string {
  return [...new Set(texts.flatMap(foldWords))].map((word) => `'${word}'`).join(' ');
}

/** A question in the notation of tsqueries, over the words of an entry or of its names; each word is given by its meanings, of which one is enough. */
export type Conditions = {
  /** Every word begins one: asked of the words that an entry must have, and of its names where they have all. */
  begun: string;
  /** Some word begins one: asked of the names of what is found. */
  some: string;
  /** Every word is one: asked of the names of what stands first. */
  whole: string;
};

/** The conditions by which entries are found and ordered. */
export function writeConditions(terms: readonly (readonly string[])[]): Conditions {
  const each = (mark: string) => terms.map((meanings) => `(${meanings.map((word) => `'${word}'${mark}`).join(' | ')})`);
  return { begun: each(':*').join(' & '), some: each(':*').join(' | '), whole: each('').join(' & ') };
}

const clamp = (value: number) => Math.round(Math.min(100, Math.max(0, value)));

const leaguePopularity = ({ measure, sportRank }: { measure: number; sportRank: number }) =>
  95 - measure / 12 - sportRank;

/**
 * Ours (0023): how much an entry is asked for, from 0 to 100. `measure` is the rank of a league or of a fixture's league, the followers
 * of a portfolio, and nothing for others; `sportRank` is the place of its sport in menus.
 */
export function popularityOf(kind: SearchKind, source: { measure: number; sportRank: number }): number {
  switch (kind) {
    case 'sport':
      return clamp(100 - source.sportRank);
    case 'league':
    case 'team':
    case 'fixture':
      return clamp(leaguePopularity(source));
    case 'portfolio':
      return clamp(14 * Math.log(1 + source.measure));
    case 'page':
      return 50;
  }
}
