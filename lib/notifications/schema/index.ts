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
  notificationLimits,
  notificationListSchema,
  readUpToSchema,
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
