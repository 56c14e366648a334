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
