import 'server-only';
export { listFeed } from './feed';
export { countUnread, countUnreadKept, listNotifications } from './notifications';
export { findNewsTags, getMailLink, getNewsSettings } from './settings';
export { findBounceOf, getBounceForStaff, staffBounces } from './staff-bounces';
export { deliveryWays, getDeliveryForStaff, staffDeliveries } from './staff-deliveries';
export { getEventForStaff, staffEvents } from './staff-events';
export { getMailForStaff, staffMails } from './staff-mails';
export { countNewsTrouble, summariseNews } from './staff-summary';
