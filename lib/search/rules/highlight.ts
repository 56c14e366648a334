import { foldWords } from './questions';

/** A piece of a text; `found` when it is what was looked for. */
export type Piece = { text: string; found: boolean };

// How much of a word must be shown as found so that its folded form has the whole term.
function lengthFound(word: string, terms: readonly string[]): number {
  const folded = foldWords(word).join('');
  const term = terms.filter((each) => folded.startsWith(each)).toSorted((a, b) => b.length - a.length)[0];
  if (term === undefined) return 0;
  const letters = Array.from(word);
  for (let count = 1; count <= letters.length; count += 1) {
    const beginning = letters.slice(0, count).join('');
    if (foldWords(beginning).join('').length >= term.length)
      return beginning.length + (/^\p{M}+/u.exec(word.slice(beginning.length))?.[0].length ?? 0);
  }
  return word.length;
}

/** The text in pieces, those apart whose words begin with a term, whatever the case and accents; together they are the text. */
export function highlight(text: string, terms: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: string, found: boolean) => {
    const last = pieces.at(-1);
    if (piece === '') return;
    if (last && last.found === found) last.text += piece;
    else pieces.push({ text: piece, found });
  };
  for (const part of text.split(/([\p{L}\p{N}\p{M}'’.]+)/u)) {
    const length = terms.length > 0 ? lengthFound(part, terms) : 0;
    add(part.slice(0, length), true);
    add(part.slice(length), false);
  }
  return pieces;
}
