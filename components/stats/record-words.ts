/** What a record is of and counted in, as its figures say it. */
export type RecordWords = { one: string; many: string; unit: string; stakes: string };

/** The record of a tipster. */
export const tipWords: RecordWords = { one: 'tip', many: 'tips', unit: 'units', stakes: 'advised stakes' };

/** A word as it begins a heading. */
export const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
