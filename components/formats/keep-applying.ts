import { debugLog } from '../state/browser-log';

/** Ours: a page that changes all the time must not ask all the time for what cannot be had, in milliseconds. */
const gapMilliseconds = 30_000;

type Layer = {
  /** Whether the page shows what is not laid over yet. */
  isWanted: () => boolean;
  apply: () => Promise<void>;
  /** What the log says of a failure. */
  failed: string;
};

/** Lays a member's own over what the page shows and will show, and again a while after that failed, on a page that stands still too. Returns what stops it. */
export function keepApplying({ isWanted, apply, failed }: Layer): () => void {
  let isAsking = false;
  let isOver = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    if (isAsking || again !== undefined || !isWanted()) return;
    isAsking = true;
    apply()
      .catch((error: unknown) => {
        debugLog(failed, error);
        if (isOver) return;
        again = setTimeout(() => {
          again = undefined;
          look();
        }, gapMilliseconds);
      })
      .finally(() => {
        isAsking = false;
        // What came meanwhile was not in what was asked for, and a page that stands still then says nothing of it again.
        if (!isOver) look();
      });
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true });
  look();
  return () => {
    isOver = true;
    observer.disconnect();
    clearTimeout(again);
  };
}
