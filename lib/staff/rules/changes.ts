import type { StaffFacts } from '../schema/actions';

/** A fact that an action changes; null where there was none before or is none after. */
export type StaffChange = { name: string; before: string | null; after: string | null };

const words = (value: StaffFacts[string] | undefined): string | null =>
  value === undefined || value === null ? null : value === true ? 'yes' : value === false ? 'no' : String(value);

/** What differs between two states, by name, in the order in which they name it. */
export function changesOf(before: StaffFacts, after: StaffFacts): StaffChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const change = { name, before: words(before[name]), after: words(after[name]) };
    return change.before === change.after ? [] : [change];
  });
}
