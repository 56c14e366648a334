import 'server-only';
export { removeWebhook, renewSecret, setWebhook } from './change';
export { pruneWebhooks, sendWebhooks, testWebhook } from './send';
export { orderWebhookDelivery } from './staff';
