export {
  type FeedItem,
  type FeedKind,
  feedKinds,
  feedPageAnswerSchema,
  feedPageSize,
  feedQuerySchema,
} from './feed';
export { type ChannelName, channelNames } from './messages';
export {
  type Notification,
  type NotificationList,
  notificationLimits,
  notificationListSchema,
  notificationQuerySchema,
  readShownSchema,
  unreadSchema,
} from './notifications';
export {
  type Choice,
  type Hours,
  mailLinkActions,
  type MailLink,
  mailLinkSchema,
  newsChangeSchema,
  type NewsSettings,
  newsSettingsSchema,
  portfolioNewsChangeSchema,
  type Topic,
} from './settings';
export {
  bounceParamsSchema,
  deliveryOrderSchema,
  deliveryParamsSchema,
  eventOrderSchema,
  eventParamsSchema,
  liftOrderSchema,
  mailOrderSchema,
  mailParamsSchema,
  type NewsQueue,
  stopOrderSchema,
} from './staff';
