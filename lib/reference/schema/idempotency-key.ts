import { z } from 'zod';

/** Product §8: the name that a sender gives to one attempt at a write: sent twice, it is done once. */
export const idempotencyKeySchema = z
  .string('name the attempt: send 1 to 100 characters of your own choice, the same ones when you send it again')
  .min(1, 'must not be empty')
  .max(100, 'may have 100 characters at most')
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces');

/** The header of a call that takes such a name. */
export const idempotencyHeadersSchema = z.object({ 'idempotency-key': idempotencyKeySchema });

/** Ours (0035): the header of a call that may be named, and without a name is done each time it arrives. */
export const optionalIdempotencyHeadersSchema = idempotencyHeadersSchema.partial();
