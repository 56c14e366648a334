/** Spec §9: how long an answer is good here: ten minutes, half of them where it was given to somebody signed in; what is over is cleaned up every half minute. */
export const expiryMilliseconds = 10 * 60 * 1000;
export const cleanUpMilliseconds = 30_000;
/** Spec §9: the most that is kept under one key. */
export const maxSubKeys = 4;

type Kept = { url: string; answer: Promise<unknown>; until: number };

/** What is asked for: `key` names its kind, `url` the very answer, and `isOwn` that it is somebody's who is signed in. */
type Transfer = { key: string; url: string; isOwn: boolean };

const kept = new Map<string, readonly Kept[]>();
let timer: ReturnType<typeof setInterval> | undefined;

function cleanUp(): void {
  for (const [key, answers] of kept) keep(key, answers);
  if (kept.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function keep(key: string, answers: readonly Kept[]): void {
  const good = answers.filter(({ until }) => until > Date.now()).slice(-maxSubKeys);
  if (good.length > 0) kept.set(key, good);
  else kept.delete(key);
}

/** Spec §5, §9: the answer of `ask`, or the one that was given before and is still good; one that failed is not kept. Throws without a key or a url. */
export async function transfer<T>({ key, url, isOwn }: Transfer, ask: () => Promise<T>): Promise<T> {
  if (key === '') throw new Error('A state key must be provided');
  if (url === '') throw new Error('A url must be provided');
  const answers = kept.get(key) ?? [];
  const known = answers.find((each) => each.url === url && each.until > Date.now());
  if (known) return known.answer as Promise<T>;
  const fresh: Kept = { url, answer: ask(), until: Date.now() + expiryMilliseconds / (isOwn ? 2 : 1) };
  keep(key, [...answers.filter((each) => each.url !== url), fresh]);
  timer ??= setInterval(cleanUp, cleanUpMilliseconds);
  fresh.answer.catch(() =>
    keep(
      key,
      (kept.get(key) ?? []).filter((each) => each !== fresh),
    ),
  );
  return fresh.answer as Promise<T>;
}

/** Forgets every answer: of somebody who signs in or out nothing is shown to the next. */
export function forgetTransfers(): void {
  kept.clear();
}
