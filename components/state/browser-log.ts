import { report } from './analytics';

/** Spec §8: the classes under which errors are logged. */
export type LoggingClass = 'server_error' | 'connection_error' | 'obsolete_browser_error' | 'uncaught_browser_error';

/** What an error is logged as: with the status of the server's answer where there was one, and only for debugging where spec §8 says so. */
export type LoggedError = { name: LoggingClass; status: number | null; message: string; isDebugOnly: boolean };

/** What is known beside the error itself: the script that threw it, the origins of third parties' scripts, and what the browser is. */
export type ErrorSetting = { source: string; thirdParties: readonly string[]; isOnline: boolean; isModern: boolean };

const noConnection = /failed to fetch|networkerror|load failed|network connection was lost|cannot be reached/i;
const internationalisation =
  /\bIntl\b|time ?zone|locale|language tag|currency|DateTimeFormat|NumberFormat|unit identifier/i;

/** By name, as an error can come from another frame, whose classes are not ours. */
function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : '';
}

function messageOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error)
    return `${nameOf(error)}: ${String(error.message)}`;
  return typeof error === 'string' ? error : 'Unknown Error';
}

function statusOf(error: unknown): number | null {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
    ? error.status
    : null;
}

/** Spec §8: the class of an error. Only for debugging are 401s, what internationalisation throws, what third parties' scripts throw and what was called off. */
export function classify(error: unknown, { source, thirdParties, isOnline, isModern }: ErrorSetting): LoggedError {
  const message = messageOf(error);
  const status = statusOf(error);
  if (status !== null && status > 0) return { name: 'server_error', status, message, isDebugOnly: status === 401 };
  const isCalledOff = nameOf(error) === 'AbortError';
  const isForeign = message === 'Script error.' || thirdParties.some((origin) => source.startsWith(origin));
  const isDebugOnly =
    isCalledOff || isForeign || (nameOf(error) === 'RangeError' && internationalisation.test(message));
  if (status === 0 || noConnection.test(message) || (!isOnline && nameOf(error) === 'TypeError'))
    return { name: 'connection_error', status: null, message, isDebugOnly };
  return { name: isModern ? 'uncaught_browser_error' : 'obsolete_browser_error', status: null, message, isDebugOnly };
}

/** True when the browser has what the site is built on: newer than dialogs, popovers, `:has` and copying sorts. */
export function isModernBrowser(): boolean {
  return (
    typeof HTMLDialogElement !== 'undefined' &&
    'showModal' in HTMLDialogElement.prototype &&
    'popover' in HTMLElement.prototype &&
    'toSorted' in Array.prototype &&
    CSS.supports('selector(:has(a))')
  );
}

let isDebugging = false;
let foreign: readonly string[] = [];

/** Logs every error that nobody caught from now on; what is only for debugging goes out where `debug` wants it. Returns what stops it. */
export function startErrorLog({
  thirdParties,
  debug,
}: {
  thirdParties: readonly string[];
  debug: boolean;
}): () => void {
  isDebugging = debug;
  foreign = thirdParties;
  const onError = ({ error, message, filename }: ErrorEvent) => logError((error as unknown) ?? message, filename);
  const onRejection = ({ reason }: PromiseRejectionEvent) => logError(reason);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  return () => {
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
  };
}

/** Logs an error by its class; `source` is the address of the script that threw it. */
export function logError(error: unknown, source = ''): void {
  const { name, status, message, isDebugOnly } = classify(error, {
    source,
    thirdParties: foreign,
    isOnline: navigator.onLine,
    isModern: isModernBrowser(),
  });
  if (isDebugOnly && !isDebugging) return;
  report({ name, label: message, debug: isDebugOnly, ...(status === null ? {} : { value: status }) });
}

/** Logs what only helps to find faults; it goes nowhere unless the program logs at that level. */
export function debugLog(what: string, error?: unknown): void {
  if (isDebugging)
    report({ name: 'debug', label: error === undefined ? what : `${what} ${messageOf(error)}`, debug: true });
}

/** Spec §8: tells of answers that were server errors, and of entries named error in the server's timings. Returns what stops it. */
export function watchServerErrors(): () => void {
  if (typeof PerformanceObserver === 'undefined') return () => undefined;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) tellServerErrors(entry as PerformanceResourceTiming);
  });
  for (const type of ['navigation', 'resource']) observer.observe({ type, buffered: true });
  return () => observer.disconnect();
}

function tellServerErrors({ name: url, responseStatus, serverTiming }: PerformanceResourceTiming): void {
  const { origin, pathname } = new URL(url);
  if (origin !== location.origin) return;
  const told = (serverTiming ?? []).filter(({ name }) => name === 'error').map(({ description }) => description);
  for (const description of told)
    report({
      name: 'server_error',
      label: description,
      ...(Number(description) ? { value: Number(description) } : {}),
    });
  if (told.length === 0 && responseStatus >= 500)
    report({ name: 'server_error', label: pathname, value: responseStatus });
}
