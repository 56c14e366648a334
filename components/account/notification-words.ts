import type { ChannelName, Topic } from '@/lib/notifications/schema';

/** What a topic is called. */
export const topicTitles: Readonly<Record<Topic, string>> = {
  tip: 'A new tip',
  post: 'A new post',
  settlement: 'A tip settled or corrected',
  membership: 'Your memberships',
  payout: 'Payouts to you',
  fixture: 'Fixtures you watch',
  staff: 'From the staff',
};

/** What a channel is called. */
export const channelTitles: Readonly<Record<ChannelName, string>> = {
  app: 'In the list',
  email: 'E-mail',
  push: 'Push',
  telegram: 'Telegram',
};
