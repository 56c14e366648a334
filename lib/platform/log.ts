import pino from 'pino';
import { currentRequestId } from './request-context';
import { singleton } from './singleton';

/** JSON lines on standard output, one object an event, with the id of the request that it belongs to; the level comes from LOG_LEVEL. */
export const log = singleton('log', () =>
  pino({
    level: process.env.LOG_LEVEL ?? (process.env.NODE_ENV === 'test' ? 'silent' : 'info'),
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  }),
);
