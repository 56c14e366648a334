import { createInterface } from 'node:readline';

/** The error that a line of the log tells, in words; null where it tells none. */
function errorIn(line: string): string | null {
  if (!line.includes('"server_error"')) return null;
  try {
    const { event, method, path, message, err } = JSON.parse(line) as Record<string, unknown>;
    if (event !== 'server_error') return null;
    const why = (err as { message?: unknown } | undefined)?.message ?? message;
    return `The log holds an error: ${[method, path, why].filter((part) => part !== undefined).join(' ')}`;
  } catch {
    return null;
  }
}

/** Tells of each error that a program writes to its log from now on, as it comes. */
export function watchErrors(log: NodeJS.ReadableStream, tell: (what: string) => void): void {
  createInterface({ input: log }).on('line', (line) => {
    const error = errorIn(line);
    if (error !== null) tell(error);
  });
}
