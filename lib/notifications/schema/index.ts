export {
  type FeedItem,
  type FeedKind,
  feedKinds,
  feedPageSchema,
  feedPageSize,
  feedQuerySchema,
} from './feed';
export { type Notification, notificationLimits, type NotificationList, notificationListSchema } from './notifications';
