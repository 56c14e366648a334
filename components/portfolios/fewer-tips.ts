import { formatCount } from '@/lib/format';

/** Product §7, 0113: over how many tips a percentage is, where these are fewer than its row counts, as closing and followers' prices are not known of every tip. */
export const fewerTips = (count: number | undefined, of: number) =>
  count && count < of ? formatCount(count, 'tip', 'tips') : undefined;
