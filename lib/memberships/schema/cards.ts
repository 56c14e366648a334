import { z } from 'zod';
import { cardSchema } from '@/lib/money/schema';
import { membershipStates } from './memberships';

/** The states of a change of a card; it moves forward only. */
export const cardChanges = ['started', 'pending', 'succeeded', 'failed', 'cancelled'] as const;

/** The state of a change of a card. */
export type CardChange = (typeof cardChanges)[number];

/** How a membership is charged, and the last change of that: `status` null where there was none, `because` why it came to nothing, `payUrl` the page of the provider where a card can be given now, else null. */
export const cardChangeViewSchema = z.object({
  membership: z.string(),
  name: z.string(),
  state: z.enum(membershipStates),
  card: cardSchema.nullable(),
  status: z.enum(cardChanges).nullable(),
  because: z.string().nullable(),
  payUrl: z.string().nullable(),
});

/** How a membership is charged, and the last change of that. */
export type CardChangeView = z.infer<typeof cardChangeViewSchema>;
