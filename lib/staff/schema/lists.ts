import { z } from 'zod';
import type { Viewer } from '@/lib/access/schema';

/** Ours (0077): rows on one page of a staff list, and the most that its file of CSV holds. */
export const staffListLimits = { page: 50, fileRows: 100_000, filePage: 1_000 } as const;

/** What a cell holds: words, a figure (to the right), a moment (ISO, shown in the zone of the site), or a state with its tone. */
export type StaffCell =
  | string
  | number
  | null
  | { at: string | null }
  | { state: string; tone: 'plain' | 'profit' | 'loss' | 'notice' };

/** A column of a list: its head, what it holds of a row, and where the cell leads to. */
export type StaffColumn<R> = {
  key: string;
  title: string;
  figure?: true;
  /** Longer than a few words: a line of its own on a phone, and none where it is empty. */
  wide?: true;
  // Written as methods, so that a list of any rows stands where only its frame matters.
  cell(row: R): StaffCell;
  href?(row: R): string | null;
};

/** A choice that narrows a list, in the address under its name; `choices` without the one for all. */
export type StaffFilter = { name: string; title: string; choices: readonly { value: string; title: string }[] };

/** What a list is asked for: words that are searched, chosen filters, the key of the row after which it goes on, and how many rows. */
export type StaffListQuery = {
  q: string | null;
  chosen: Readonly<Record<string, string>>;
  after: string | null;
  limit: number;
};

/** Rows of a list; `next` is the key to go on after, null at the end. */
export type StaffRows<R> = { rows: R[]; next: string | null };

/**
 * Product §11: a list of staff as data: page and file of CSV are both made from it. `read` refuses whoever is not staff and gives the rows in
 * the order of a key that does not change, so that pages neither skip nor repeat one; `searched` says in a few words what `q` looks at, null for a
 * list that is not searched.
 */
export type StaffList<R> = {
  name: string;
  title: string;
  lead: string;
  none: string;
  searched: string | null;
  filters: readonly StaffFilter[];
  columns: readonly StaffColumn<R>[];
  read: (viewer: Viewer, query: StaffListQuery) => Promise<StaffRows<R>>;
};

/** A list whose rows only it knows. */
export type AnyStaffList = StaffList<unknown>;

// No text in the database holds a NUL.
const given = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\0]*$/)
  .catch('');

/** What the address of a list asks for; what it does not know or cannot read is left out. */
export function staffListQuery(
  { filters, searched }: Pick<AnyStaffList, 'filters' | 'searched'>,
  parameters: Readonly<Record<string, unknown>>,
  limit: number = staffListLimits.page,
): StaffListQuery {
  const chosen = Object.fromEntries(
    filters.flatMap(({ name, choices }) => {
      const value = given.parse(parameters[name]);
      return choices.some((choice) => choice.value === value) ? [[name, value]] : [];
    }),
  );
  const after = given.parse(parameters['after']);
  return {
    q: searched === null ? null : given.parse(parameters['q']) || null,
    chosen,
    after: /^[\w.:-]{1,100}$/.test(after) ? after : null,
    limit,
  };
}
