import type { Viewer } from '@/lib/access/schema';
import { getUser } from '@/lib/accounts/queries';
import type { UserAnswer } from '@/lib/accounts/schema';
import { readMemberViewer } from '@/lib/pages/member-page';
import { defaultView } from '@/lib/pages/default-view';
import type { PageQuery } from '@/lib/pages/page';
import { now as present } from '@/lib/platform/clock';
import { oddsDisplayFrom } from '@/lib/reference/rules';
import { type OddsDisplay, timeZones } from '@/lib/reference/schema';

/** The member who looks at a page of the dashboard, how they see times and odds, and the moment. */
export type DashboardMember = UserAnswer & { viewer: Viewer; now: Date; timeZone: string; oddsDisplay: OddsDisplay };

/** The member whose page at `path` it is, `asked` for with this query, and what they chose; see `readMemberViewer`. */
export async function readMember(path: string, asked: PageQuery): Promise<DashboardMember> {
  const viewer = await readMemberViewer(path, asked);
  const now = present();
  const { user, settings } = await getUser(viewer, now);
  const timeZone = timeZones.find(({ id }) => id === settings.timezoneId)?.tz ?? defaultView.timeZone;
  return {
    viewer,
    user,
    settings,
    now,
    timeZone,
    oddsDisplay: oddsDisplayFrom(settings.oddsDisplayType) ?? defaultView.oddsDisplay,
  };
}
