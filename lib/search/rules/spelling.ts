/**
 * How many letters must be changed, added, left out or swapped with their neighbour to make the sought word the beginning of the other:
 * somebody who is still typing has misspelt a beginning.
 */
export function distanceToBeginning(sought: string, word: string): number {
  const letters = Array.from(sought);
  const others = Array.from(word);
  let beforeLast: number[] = [];
  let last = others.map((_, index) => index + 1);
  last.unshift(0);
  for (const [row, letter] of letters.entries()) {
    const current = [row + 1];
    for (const [column, other] of others.entries()) {
      const at = (line: readonly number[], place: number) => line[place] ?? Infinity;
      const changed = at(last, column) + (letter === other ? 0 : 1);
      const swapped =
        row > 0 && column > 0 && letter === others[column - 1] && letters[row - 1] === other
          ? at(beforeLast, column - 1) + 1
          : Infinity;
      current.push(Math.min(changed, swapped, at(last, column + 1) + 1, at(current, column) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return Math.min(...last);
}

/** Ours (0023): how many wrong letters are forgiven in a word of this length; none in short words and in numbers. */
export function forgivenLetters(word: string): number {
  if (/\d/.test(word) || word.length < 4) return 0;
  return word.length < 7 ? 1 : 2;
}

const mostSimilar = 3;

/** The words that somebody may have meant who wrote another, those with the fewest wrong letters, in the order given; three at most. */
export function similarWords(sought: string, candidates: readonly string[]): string[] {
  const near = candidates
    .filter((word) => word !== sought)
    .map((word) => ({ word, distance: distanceToBeginning(sought, word) }))
    .filter(({ distance }) => distance <= forgivenLetters(sought));
  const least = Math.min(...near.map(({ distance }) => distance));
  return near
    .filter(({ distance }) => distance === least)
    .slice(0, mostSimilar)
    .map(({ word }) => word);
}
