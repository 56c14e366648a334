import { env } from '@/lib/platform/env';

/** Spec §7: edge calls other than version return empty data outside production. */
export function isEdgeOpen(): boolean {
  return env().NODE_ENV === 'production';
}
