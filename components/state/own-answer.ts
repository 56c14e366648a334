/** What a member was answered with their own rights; null where they were refused it. */
export type OwnAnswer<T> = { username: string; answer: T | null };

const isRefusal = (error: unknown) =>
  error instanceof Error && 'status' in error && [401, 403, 404].includes(Number(error.status));

/** What this member is answered: a refusal is an answer too, in whose place nothing from before may stand. Throws where nobody could be asked. */
export async function ownAnswer<T>(username: string, ask: () => Promise<T>): Promise<OwnAnswer<T>> {
  try {
    return { username, answer: await ask() };
  } catch (error) {
    if (isRefusal(error)) return { username, answer: null };
    throw error;
  }
}

/** What was answered to this member; null where nothing was, or it was to another. */
export function answerTo<T>(username: string | null, given: OwnAnswer<T> | undefined): T | null {
  return given && given.username === username ? given.answer : null;
}
