import type { MovedPrice, TipInput } from '@/lib/tips/schema';
import { api, ApiError } from './api';

/** A tip to publish: its legs at the prices that were seen. */
export type TipToPublish = Omit<TipInput, 'idempotencyKey'>;

/** What was moved, refused or not answered: `moved` are the prices that have gone or become shorter, each with what it is now. */
export type Refusal =
  | { kind: 'moved'; moved: readonly MovedPrice[] }
  | { kind: 'refused'; message: string; fields: Readonly<Record<string, string>>; status: number };

/** How publishing a tip ended. */
export type Publishing = { kind: 'published'; reference: string } | Refusal;

/**
 * Product §5: publishes a tip in a portfolio of the member. The same attempt sent again, by a double click or from another tab, publishes
 * once and answers with the same tip; `status` 0 is a connection that failed, after which it may be sent again as it is.
 */
export async function publishTip(
  portfolioReference: string,
  tip: TipToPublish,
  attemptKey: string,
): Promise<Publishing> {
  try {
    const { reference } = await api('POST /user/portfolio/{reference}/tips/add-tip', {
      params: { reference: portfolioReference },
      body: tip,
      idempotencyKey: attemptKey,
    });
    return { kind: 'published', reference };
  } catch (error) {
    return refusalOf(error);
  }
}

/** What the API refused, as moved prices where it says that they moved; throws what is no refusal of the API. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) throw error;
  const moved = movedIn(error.answer);
  return moved.length > 0
    ? { kind: 'moved', moved }
    : { kind: 'refused', message: error.message, fields: error.fields, status: error.status };
}

function movedIn(answer: unknown): readonly MovedPrice[] {
  return typeof answer === 'object' && answer !== null && 'moved' in answer && Array.isArray(answer.moved)
    ? (answer.moved as MovedPrice[])
    : [];
}
