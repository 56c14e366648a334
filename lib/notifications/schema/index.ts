export {
  type FeedItem,
  type FeedKind,
  feedKinds,
  feedPageSchema,
  feedPageSize,
  feedQuerySchema,
} from './feed';
export { type Notification, notificationLimits, notificationListSchema } from './notifications';
