/** The error that says why the private PostgreSQL cannot run and what to do, DATABASE_URL being always open; `said` is what PostgreSQL itself wrote. */
export function refusal(
  problem: string,
  remedy: string,
  { cause, said }: { cause?: unknown; said?: string } = {},
): Error {
  const wayOut =
    'or set DATABASE_URL to a PostgreSQL 15 or newer, which the program then uses instead of a private one.';
  return new Error([`${problem} ${remedy}, ${wayOut}`, ...(said ? [`It said:\n${said}`] : [])].join(' '), { cause });
}

/** A text of an error, such as its message, its code ('ENOENT') or what a program wrote to stderr; empty where it has none. */
export function textOf(error: unknown, field: 'message' | 'code' | 'stderr'): string {
  // Not by instanceof: Node's own errors come from another realm than a test's.
  const texts: { [name in typeof field]?: unknown } = typeof error === 'object' && error !== null ? error : {};
  return String(texts[field] ?? '').trim();
}

/** What to do about a failure of PostgreSQL, from what it said. */
export function remedyFor(said: string): string {
  if (/No space left|quota exceeded/i.test(said)) return 'Free some space on that disk and start again';
  if (/could not look up effective user ID/i.test(said))
    return 'Run the program as a user that has a name: PostgreSQL looks for it in /etc/passwd';
  return said ? 'Mend what it says and start again' : 'See that its disk has space and start again';
}
