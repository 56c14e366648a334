import { oddsDisplayFrom } from '@/lib/reference/rules';
import { defaultOddsDisplay, defaultTimeZone, type OddsDisplay, timeZones } from '@/lib/reference/schema';
import type { ViewerState } from '../state/viewer';

/** How times and odds are shown to whoever is looking. */
export type Viewing = { timeZone: string; timeZoneName: string; oddsDisplay: OddsDisplay };

/** Whose time is shown, as people say it: UK time, UTC, or by the first place of the zone. */
export function timeTitle({ timeZone, timeZoneName }: Pick<Viewing, 'timeZone' | 'timeZoneName'>): string {
  if (timeZone === defaultTimeZone.tz) return 'UK time';
  if (timeZoneName === 'Coordinated Universal Time') return 'UTC';
  const [place = timeZoneName] = timeZoneName.split(',');
  return place.endsWith('Time') ? place : `${place} time`;
}

/** What a member's settings say; for anybody else UK time and decimal odds, as on the pages. */
export function viewingOf(viewer: ViewerState): Viewing {
  const settings = viewer.kind === 'member' ? viewer.settings : null;
  const zone = timeZones.find(({ id }) => id === settings?.timezoneId) ?? defaultTimeZone;
  return {
    timeZone: zone.tz,
    timeZoneName: zone.name,
    oddsDisplay: oddsDisplayFrom(settings?.oddsDisplayType ?? '') ?? defaultOddsDisplay,
  };
}
