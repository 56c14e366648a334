import type { KnownMember } from '@/lib/accounts/queries';
import { member } from '@/lib/http/viewer';
import { offeredChannels, sendDigests, sendDueNews, spreadNews } from '@/lib/notifications/commands';

const viewerOf = ({ countryId, ...membership }: KnownMember) => member(membership, countryId);

/** Spreads what happened to whoever wants to hear of it, and sends what is due. */
export async function passOnNews(now: Date): Promise<void> {
  await spreadNews(offeredChannels(), now);
  await sendDueNews(now, { viewerOf, channels: offeredChannels() });
}

/** Sends the one mail of the day to those whose hour has come. */
export async function sendDailyMails(now: Date): Promise<void> {
  await sendDigests(now, { viewerOf, channels: offeredChannels() });
}
