import { redirect } from 'next/navigation';
import type { Viewer } from '@/lib/access/schema';
import { getUser } from '@/lib/accounts/queries';
import type { UserAnswer } from '@/lib/accounts/schema/user';
import { pageViewer } from '@/lib/entry/page-viewer';
import { viewing } from '@/lib/entry/viewing';
import { now as present } from '@/lib/platform/clock';
import { oddsDisplayFrom } from '@/lib/reference/rules/display';
import type { OddsDisplay } from '@/lib/reference/schema/enumerations';
import { timeZones } from '@/lib/reference/schema/time-zones';
import { routes } from '@/lib/routes';

/** The member who looks at a page of the dashboard, how they see times and odds, and the moment. */
export type DashboardMember = UserAnswer & { viewer: Viewer; now: Date; timeZone: string; oddsDisplay: OddsDisplay };

/** Spec §2.4: the member whose page it is; a guest is sent to sign in and back to `path`, somebody unverified to confirm their address. */
export async function readMember(path: string): Promise<DashboardMember> {
  const viewer = await pageViewer();
  if (viewer.kind === 'guest') redirect(routes.login({ redirect_to: path }));
  if (!viewer.confirmed) redirect(routes.verify({ redirect_after_verify: path }));
  const now = present();
  const { user, settings } = await getUser(viewer, now);
  const timeZone = timeZones.find(({ id }) => id === settings.timezoneId)?.tz ?? viewing.timeZone;
  return { viewer, user, settings, now, timeZone, oddsDisplay: oddsDisplayFrom(settings.oddsDisplayType) ?? viewing.oddsDisplay };
}
