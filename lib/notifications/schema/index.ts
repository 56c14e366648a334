export {
  type FeedItem,
  type FeedKind,
  feedKinds,
  feedPageAnswerSchema,
  feedPageSize,
  feedQuerySchema,
} from './feed';
export { type Notification, notificationLimits, notificationListSchema } from './notifications';
