import type { KnownMember } from '@/lib/accounts/queries';
import { member } from '@/lib/http/viewer';
import { offeredChannels, sendDigests, sendDueNews, spreadNews } from '@/lib/notifications/commands';

const viewerOf = ({ countryId, ...membership }: KnownMember) => member(membership, countryId);

/** Puts down for whoever wants to hear of what happened what is to reach them. */
export async function spreadDueNews(now: Date): Promise<void> {
  await spreadNews(offeredChannels(), now);
}

/** Sends the news that are due. */
export async function sendNews(now: Date): Promise<void> {
  await sendDueNews(now, { viewerOf, channels: offeredChannels() });
}

/** Sends the one mail of the day to those whose hour has come. */
export async function sendDailyMails(now: Date): Promise<void> {
  await sendDigests(now, { viewerOf, channels: offeredChannels() });
}
