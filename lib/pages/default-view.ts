import { defaultOddsDisplay, defaultTimeZone } from '@/lib/reference/schema';

/** How pages show times and odds to everybody; what a member chose is laid over in the browser. */
export const defaultView = {
  timeZone: defaultTimeZone.tz,
  timeZoneName: 'UK time',
  oddsDisplay: defaultOddsDisplay,
} as const;
