import { defaultOddsDisplay } from '@/lib/reference/schema/enumerations';
import { defaultTimeZone } from '@/lib/reference/schema/time-zones';

/** How pages show times and odds to everybody; what a member chose is laid over in the browser. */
export const defaultView = {
  timeZone: defaultTimeZone.tz,
  timeZoneName: 'UK time',
  oddsDisplay: defaultOddsDisplay,
} as const;
