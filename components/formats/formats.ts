import { oddsDisplayFrom, timeZoneTitle } from '@/lib/reference/rules';
import { defaultOddsDisplay, defaultTimeZone, type OddsDisplay, timeZones } from '@/lib/reference/schema';
import type { ViewerState } from '../state/viewer';

/** How times and odds are shown to whoever is looking. */
export type Formats = { timeZone: string; timeZoneName: string; oddsDisplay: OddsDisplay };

/** Whose time is shown, as people say it. */
export const timeTitle = ({ timeZone, timeZoneName }: Pick<Formats, 'timeZone' | 'timeZoneName'>): string =>
  timeZoneTitle({ tz: timeZone, name: timeZoneName });

/** What a member's settings say; for anybody else UK time and decimal odds, as on the pages. */
export function formatsOf(viewer: ViewerState): Formats {
  const settings = viewer.kind === 'member' ? viewer.settings : null;
  const zone = timeZones.find(({ id }) => id === settings?.timezoneId) ?? defaultTimeZone;
  return {
    timeZone: zone.tz,
    timeZoneName: zone.name,
    oddsDisplay: oddsDisplayFrom(settings?.oddsDisplayType ?? '') ?? defaultOddsDisplay,
  };
}
