const patterns = { int: /^\d{1,9}$/, bigint: /^\d{1,15}$/ } as const;

/** The number that a text of digits writes, as far as a column of this type holds it; null for anything else, as where a list is asked for behind a row that cannot be. */
export function wholeNumberOf(text: string | null, column: keyof typeof patterns = 'int'): number | null {
  return text !== null && patterns[column].test(text) ? Number(text) : null;
}
