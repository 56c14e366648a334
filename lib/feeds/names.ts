import { slug } from '@/lib/reference/rules';
import { quoted } from './file-text';

const nameless = slug('');

/** The longest name of a side or a league that a feed takes, in characters. */
export const maxNameLength = 100;

/** True for a name that can be shown and made a reference of: not too long, printable, with a Latin letter or a digit. */
export function isName(text: string): boolean {
  return text.length <= maxNameLength && !/[\p{C}\uFFFD]/u.test(text) && slug(text) !== nameless;
}

/** The two sides of a match, or the column and one sentence that say why they cannot be used. */
export type TeamsReading = { ok: true; home: string; away: string } | { ok: false; column: string; problem: string };

/** Reads the names of the two sides: both given, printable and different. */
export function readTeams(
  home: { column: string; text: string },
  away: { column: string; text: string },
): TeamsReading {
  for (const { column, text } of [home, away]) {
    if (text === '') return { ok: false, column, problem: 'The name of the side is missing.' };
    if (!isName(text)) {
      return {
        ok: false,
        column,
        problem: `${quoted(text)} is no name of a side; write Latin letters, at most ${maxNameLength} characters.`,
      };
    }
  }
  if (home.text === away.text)
    return { ok: false, column: away.column, problem: `${quoted(home.text)} cannot play against itself.` };
  return { ok: true, home: home.text, away: away.text };
}
