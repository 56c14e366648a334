/** What the button says that verifies a tip, or without one the whole record. */
export const verifyLabel = (tip: string | null): string =>
  tip === null ? 'Verify the whole record now' : 'Verify this tip now';
