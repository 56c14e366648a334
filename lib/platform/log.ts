import pino from 'pino';
import { LogDestination } from './log-destination';
import { currentRequestId } from './request-context';
import { singleton } from './singleton';

// A level that there is not is said with the other settings, not by the logger's own error.
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const levelOf = (given: string | undefined) =>
  given !== undefined && levels.includes(given) ? given : process.env.NODE_ENV === 'test' ? 'silent' : 'info';

/** JSON lines on standard output, one object an event, with the id of the request that it belongs to; the level comes from LOG_LEVEL. */
export const log = singleton('log', () => {
  return pino(
    {
      level: levelOf(process.env.LOG_LEVEL?.trim()),
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const requestId = currentRequestId();
        return requestId === undefined ? {} : { requestId };
      },
    },
    new LogDestination(1),
  );
});
