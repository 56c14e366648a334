import 'server-only';
export { findWebhook } from './own';
export { getWebhookDeliveryForStaff, staffWebhooks } from './staff';
