import 'server-only';
import type { Viewer } from '@/lib/access/schema';
import { type KnownMember, listKnownMembers } from '@/lib/accounts/queries';
import { defaultTimeZone, timeZones } from '@/lib/reference/schema';
import type { Recipient } from '../schema/messages';

/** Makes a viewer of a member, as only a door may. */
export type ViewerOf = (known: KnownMember) => Viewer;

/** The zone of the IANA table that a setting names; the site's own where nothing is set. */
export const zoneOf = (timezoneId: number | null): string =>
  (timeZones.find(({ id }) => id === timezoneId) ?? defaultTimeZone).tz;

/** Whom messages are for, each as a viewer at `now`, by account; those that are gone are left out. */
export async function readReaders(
  accountIds: readonly number[],
  viewerOf: ViewerOf,
  now: Date,
): Promise<Map<number, { viewer: Viewer; recipient: Recipient }>> {
  const members = await listKnownMembers([...new Set(accountIds)], now);
  return new Map(
    members.map(({ username, email, timezoneId, oddsDisplay, ...known }) => [
      known.accountId,
      {
        viewer: viewerOf(known),
        recipient: { accountId: known.accountId, username, email, timeZone: zoneOf(timezoneId), oddsDisplay },
      },
    ]),
  );
}
