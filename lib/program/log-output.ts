import { format } from 'node:util';
import { log } from '@/lib/platform/log';

const marks = /^[\s⨯✓⚠▲○]+/u;
// Colours of a terminal.
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

const levels = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

const textOf = (given: readonly unknown[]) =>
  format(...given)
    .replace(colours, '')
    .replace(marks, '')
    .trim();

/** Turns what libraries write to the console, the warnings of Node and what ends the program into events of the log, each on one line. */
export function logConsole(): void {
  const { console } = globalThis;
  for (const [name, level] of Object.entries(levels) as [keyof typeof levels, (typeof levels)[keyof typeof levels]][]) {
    console[name] = (...given: unknown[]) => {
      const err = given.find((each) => each instanceof Error);
      const message = textOf(given.filter((each) => each !== err));
      if (err === undefined && message === '') return;
      log[level]({
        event: err === undefined ? 'console' : 'server_error',
        ...(message !== '' && { message }),
        ...(err !== undefined && { err }),
      });
    };
  }
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ event: 'warning', message: `${warning.name}: ${warning.message}` }));
  process.on('uncaughtException', (err) => {
    try {
      log.fatal({ event: 'crash', err });
    } finally {
      process.exit(1);
    }
  });
}

/** Tells whoever started the program what it does: in words on a terminal and while one develops, else as a line of the log. */
export function sayer({ inWords }: { inWords: boolean }): (line: string) => void {
  return inWords
    ? (line) => void process.stderr.write(`${line}\n`)
    : (line) => log.info({ event: 'program', message: line });
}
