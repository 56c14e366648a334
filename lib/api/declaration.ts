import type { z } from 'zod';
import type { Access } from '@/lib/access/schema';
import type { RateLimit } from '@/lib/platform/rate-limit';
import type { FormDoor } from './form';

/** What a call says of itself: enough to check a request, to answer it and to describe it in OpenAPI. */
export type Declaration<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  H extends z.ZodType,
  F extends true | undefined = true | undefined,
> = {
  summary: string;
  access: Access;
  params?: P;
  query?: Q;
  /** The headers that the call reads, by their names in lower case. */
  headers?: H;
  body?: B;
  /** The largest body, in bytes; `maxBodyBytes` where it is not said. */
  maxBytes?: number;
  /** Set where the schema of the body leaves out parts that are no good, rather than to refuse the whole: what it leaves out may hold anything. */
  leavesOut?: true;
  /** Set where the body is a file, whose bytes are handed on as they came. */
  takesFile?: F;
  answers: A;
  /** Set where the call makes something new, which it answers with 201. */
  creates?: true;
  /** Hits that one network may make in a window; without it a call that reads is not limited, and one that writes as `usualWriteLimit` says. */
  limit?: RateLimit;
  /** Set for a write that a suspended member may make too: what ends, leaves or protects. */
  whileSuspended?: true;
  /** Set where the session cookie alone says who asks: another site's page is refused. */
  byCookie?: true;
  /**
   * 0062: how long at most, in seconds, the answer to whoever comes without a bearer is kept, which is the same for all of them; `forget` of
   * what it read drops it before. For a GET that reads nothing that changes without being forgotten, and that is not limited.
   */
  keptSeconds?: number;
  /** Statuses of refusals that are not to be told from the rest of the declaration. */
  alsoRefuses?: readonly (401 | 423)[];
  /** What every refusal of the call carries that does not say it otherwise. */
  refused?: Readonly<Record<string, unknown>>;
  /**
   * 0071: set where the answer to a bearer is kept for it, under the tags of what was read, for as long as these are good. For a GET without
   * parameters that reads nothing that changes without being forgotten.
   */
  keptForBearer?: true;
  /** Set where a form of HTML may be sent as it is, so that the page works without script. */
  form?: FormDoor;
};

/** A declaration without the types of its parts, as the OpenAPI document reads it. */
export type AnyDeclaration = Declaration<z.ZodType, z.ZodType, z.ZodType, z.ZodType, z.ZodType>;
