import 'server-only';
export { foreseeNews, type WouldTell } from './foreseen';
export { offeredChannels } from './registry';
export { sendSample } from './sample';
export { sendDigests, sendDueNews } from './send';
export { changeNews, changePortfolioNews, followMailLink, readNotifications, stopMails } from './settings';
export { pruneNews, spreadNews } from './spread';
