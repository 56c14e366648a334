export { bounceMeanings, bounceTitles } from './bounces';
export type { SpreadStatus } from './spreading';
export { channelTitles, type DeliveryStatus, eventTitles, type MailStatus } from './status';
export { isUntold, untoldText } from './untold';
