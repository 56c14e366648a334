import pino from 'pino';
import { singleton } from './singleton';

/** JSON lines on standard output, one object an event; the level comes from LOG_LEVEL. */
export const log = singleton('log', () =>
  pino({
    level: process.env.LOG_LEVEL ?? (process.env.NODE_ENV === 'test' ? 'silent' : 'info'),
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  }),
);
