export { bounceMeanings, bounceTitles } from './bounces';
export type { SpreadStanding } from './spreading';
export { channelTitles, type DeliveryStanding, eventTitles, type MailStanding } from './standing';
