import { z } from 'zod';
import { handle } from '@/lib/api/handle';
import { log } from '@/lib/platform/log';
import { AnalyticsDimension, breakpoints } from '@/lib/reference/schema';

// A line of the log is read by people and programs: nothing in it may look like another line or hide from the eye.
const line = (longest: number) =>
  z
    .string()
    .max(longest, `must have ${longest} characters at most`)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be plain text on one line')
    .nullable();

const eventSchema = z.strictObject({
  name: z
    .string()
    .max(64, 'must have 64 characters at most')
    .regex(/^[a-z][a-z0-9_]*(:[a-z][a-z0-9_]*)?$/, 'must be the name of an event, such as click'),
  label: line(200),
  value: z.number().min(-1e9).max(1e9).nullable(),
  debug: z.boolean(),
  [AnalyticsDimension.userId]: line(60),
  [AnalyticsDimension.organisationId]: line(60),
  [AnalyticsDimension.activePortfolio]: line(100),
  [AnalyticsDimension.timestamp]: z.iso.datetime(),
  [AnalyticsDimension.referrer]: line(300),
  [AnalyticsDimension.breakpoint]: z.enum(breakpoints.map(({ name }) => name)).nullable(),
  [AnalyticsDimension.version]: line(60),
  [AnalyticsDimension.pageUrl]: line(300),
});

// Whoever sends events hears no answer: one that is no good must not cost those that came with it.
const eventOrNone = z.union([eventSchema, z.unknown().transform(() => null)]);

const loggingClasses: ReadonlySet<string> = new Set([
  'server_error',
  'connection_error',
  'obsolete_browser_error',
  'uncaught_browser_error',
]);

export const POST = handle(
  {
    summary:
      'Takes what browsers count and the errors they met into the log, up to 20 at once, of which those that are not valid are left out; neither the address nor the account of the sender is kept',
    access: 'unidentified',
    body: z.strictObject({
      events: z
        .array(eventOrNone)
        .min(1, 'must have an event')
        .max(20, 'must be 20 events at most')
        .refine((events) => events.length === 0 || events.some(Boolean), 'must have an event that is valid'),
    }),
    leavesOut: true,
    answers: z.object({ accepted: z.int() }),
    limit: { hits: 60, windowSeconds: 60 },
  },
  async ({ body }) => {
    const events = body.events.filter((event) => event !== null);
    for (const { debug, ...event } of events) {
      const level = debug ? 'debug' : loggingClasses.has(event.name) ? 'warn' : 'info';
      log[level]({ event: 'browser', browser: event });
    }
    if (events.length < body.events.length)
      log.warn({ event: 'browser-left-out', count: body.events.length - events.length });
    return { accepted: events.length };
  },
);
