import 'server-only';
export { removeWebhook, renewSecret, setWebhook } from './change';
export { areWebhooksSet, pruneWebhooks, sendWebhooks, testWebhook } from './send';
export { orderWebhookDelivery } from './staff';
