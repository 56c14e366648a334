import { differsByPricesOnly, type Sent } from '@/lib/bets/rules';
import type { MovedPrice } from '@/lib/tips/schema';
import { api, ApiError } from './api';

/** What was moved, refused or not answered: `moved` are the prices that have gone or become shorter, each with what it is now; `status` 0 is a connection that failed. */
export type Refusal =
  | { kind: 'moved'; moved: readonly MovedPrice[] }
  | { kind: 'refused'; message: string; fields: Readonly<Record<string, string>>; status: number };

/** How an attempt ended: what was recorded, in this try or an earlier one, or why nothing was. */
export type Recording = { kind: 'recorded'; sent: Sent; reference: string } | Refusal;

/** Notes on this device which attempt is under way, and null once it was refused. */
export type Note = (unanswered: Sent | null) => Promise<unknown>;

/**
 * Product §5, §8: sends a tip or a bet. It is noted before it is sent, and until the server has said what became of it: the page may go away, and the
 * answer be lost. The same attempt sent again, by a double click or from another tab, is recorded once and answered alike. Of what was recorded the caller takes the note away.
 */
export async function sendNoted(sent: Sent, note: Note): Promise<Recording> {
  await note(sent);
  const outcome = await send(sent);
  if (outcome.kind !== 'recorded' && !isUnanswered(outcome)) await note(null);
  return outcome;
}

/**
 * Ours (0031): what became of the attempt that was not answered, before another goes, which might record the same twice: it is sent again as it was, and null is
 * that it was refused, so that others may go. Where none of these `next` is the same but for its prices, nothing is sent: whether what was changed since is to be
 * recorded too is for the member to say, by sending it again.
 */
export async function settleUnanswered(unanswered: Sent, next: readonly Sent[], note: Note): Promise<Recording | null> {
  if (!next.some((sent) => differsByPricesOnly(sent, unanswered))) {
    await note(null);
    return { kind: 'refused', message: mayStand, fields: {}, status: 409 };
  }
  const outcome = await send(unanswered);
  if (outcome.kind === 'recorded' || isUnanswered(outcome) || isTurnedAway(outcome)) return outcome;
  await note(null);
  return null;
}

const mayStand =
  'Your last try got no answer, so it may be recorded as it was before your changes. Look in your record first. If it is not there, send this again.';

/** True where nobody knows what became of an attempt: the connection failed, the server did, or its answer broke off. */
const isUnanswered = (refusal: Refusal): boolean =>
  refusal.kind === 'refused' && (refusal.status < 400 || refusal.status >= 500);

/** True where the call was refused before anybody looked at what was sent: who has to sign in again, or sent too much, learns nothing of an earlier try. */
const isTurnedAway = (refusal: Refusal): boolean => refusal.kind === 'refused' && [401, 429].includes(refusal.status);

async function send(sent: Sent): Promise<Recording> {
  try {
    const { reference } =
      'tip' in sent
        ? await api('POST /user/portfolio/{reference}/tips/add-tip', {
            params: { reference: sent.portfolioReference },
            body: sent.tip,
            idempotencyKey: sent.key,
          })
        : await api('POST /user/bets', { body: sent.bet, idempotencyKey: sent.key });
    return { kind: 'recorded', sent, reference };
  } catch (error) {
    return refusalOf(error);
  }
}

/** What the API refused, as moved prices where it says that they moved; throws what is no refusal of the API. */
function refusalOf(error: unknown): Refusal {
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
