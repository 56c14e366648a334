import 'server-only';
export { listFeed } from './feed';
export { listNotifications } from './notifications';
export { getMailLink, getNewsSettings } from './settings';
