import type { KnownMember } from '@/lib/accounts/queries';
import { member } from '@/lib/http/viewer';
import { offeredChannels, rewriteMails, sendDigests, sendDueNews, spreadNews } from '@/lib/notifications/commands';
import { sendDueMails } from '@/lib/platform/mail';

const viewerOf = ({ countryId, ...membership }: KnownMember) => member(membership, countryId);

/** Puts down for whoever wants to hear of what happened what is to reach them. */
export async function spreadDueNews(now: Date): Promise<void> {
  await spreadNews(offeredChannels(), now);
}

/** Sends the news that are due. */
export async function sendNews(now: Date): Promise<void> {
  await sendDueNews(now, { viewerOf, channels: offeredChannels() });
}

/** Sends the mails that wait, news as they are to be told at that moment. */
export async function sendMails(now: Date): Promise<void> {
  await sendDueMails(now, { rewrite: (told, at) => rewriteMails(told, viewerOf, at) });
}

/** Sends the one mail of the day to those whose hour has come. */
export async function sendDailyMails(now: Date): Promise<void> {
  await sendDigests(now, { viewerOf, channels: offeredChannels() });
}
