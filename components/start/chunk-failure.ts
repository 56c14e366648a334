import { chunkFailureMessage } from './chunk-failure-message';
import { showCriticalError } from './critical-error';

/** True for what a failed `import()` of a part of the site throws. */
export function isChunkFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === 'ChunkLoadError' || /^Loading (?:CSS )?chunk \S+ failed/.test(error.message))
  );
}

/** True for a script or style sheet of the build that could not be loaded. */
function isFailedAsset(target: EventTarget | null): boolean {
  if (target instanceof HTMLScriptElement) return isOwnAsset(target.src);
  return target instanceof HTMLLinkElement && target.rel === 'stylesheet' && isOwnAsset(target.href);
}

function isOwnAsset(address: string): boolean {
  const { origin, pathname } = new URL(address, location.href);
  return origin === location.origin && pathname.startsWith('/_next/static/');
}

function hasFailedBefore(): boolean {
  const scripts = performance.getEntriesByType?.('resource') ?? [];
  return scripts.some(
    (entry) =>
      entry instanceof PerformanceResourceTiming &&
      entry.initiatorType === 'script' &&
      entry.responseStatus >= 400 &&
      isOwnAsset(entry.name),
  );
}

/**
 * Spec §8: raises the critical error when a part of the site cannot be loaded while online, and calls `onFailure`; what has failed
 * before is found too. Returns what stops it.
 */
export function watchChunkFailures(onFailure: () => void): () => void {
  const raise = () => {
    if (!navigator.onLine) return;
    showCriticalError(chunkFailureMessage);
    onFailure();
  };
  const onError = (event: Event) => {
    if (isFailedAsset(event.target) || (event instanceof ErrorEvent && isChunkFailure(event.error))) raise();
  };
  const onRejection = ({ reason }: PromiseRejectionEvent) => {
    if (isChunkFailure(reason)) raise();
  };
  // The error of an element does not bubble.
  window.addEventListener('error', onError, { capture: true });
  window.addEventListener('unhandledrejection', onRejection);
  if (hasFailedBefore()) raise();
  return () => {
    window.removeEventListener('error', onError, { capture: true });
    window.removeEventListener('unhandledrejection', onRejection);
  };
}
