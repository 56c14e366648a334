import type { OddsDisplay } from '@/lib/reference/schema/enumerations';
import { viewerNow } from '../state/viewer';

/** How times and odds are shown to whoever is looking. */
export type Viewing = { timeZone: string; timeZoneName: string; oddsDisplay: OddsDisplay };

const displays: Readonly<Record<string, OddsDisplay>> = { decimal: 'decimal', fraction: 'fraction', US: 'moneyline' };

/** What the member's settings say; for a guest UK time and decimal odds, as on the pages. */
export async function viewingNow(): Promise<Viewing> {
  const viewer = viewerNow();
  const { timeZones, defaultTimeZone } = await import('@/lib/reference/schema/time-zones');
  if (viewer.kind !== 'member') return { timeZone: defaultTimeZone.tz, timeZoneName: defaultTimeZone.name, oddsDisplay: 'decimal' };
  const { timezoneId, oddsDisplayType } = viewer.settings;
  const zone = timeZones.find(({ id }) => id === timezoneId) ?? defaultTimeZone;
  return { timeZone: zone.tz, timeZoneName: zone.name, oddsDisplay: displays[oddsDisplayType] ?? 'decimal' };
}
