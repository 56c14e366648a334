import { webhookLimits } from './schema';

/** The seconds to wait after so many tries have failed: 30, then twice as long each time. */
export const pauseSeconds = (attempts: number): number => webhookLimits.firstPauseSeconds * 2 ** (attempts - 1);

/** True for a status that says that a delivery was taken. */
export const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** What is signed: the moment in whole seconds, a point, and the body as it is sent. */
export const signedText = (seconds: number, body: string): string => `${seconds}.${body}`;

/** A delivery as it is stored, as far as it says how it stands; `pausedAt` is its webhook's. */
export type StoredWebhookDelivery = {
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  nextAt: Date;
  answeredAt: Date | null;
  pausedAt: Date | null;
};

/** How a delivery stands: a name for what staff may do, a few words, and what they mean to who runs the site. */
export type WebhookStatus = {
  name: 'due' | 'paused' | 'sending' | 'tried' | 'sent' | 'failed';
  title: string;
  tone: 'plain' | 'profit' | 'loss' | 'notice';
  meaning: string;
};

/** Product §11: how a delivery stands at a moment, in the words of who runs the site. */
export function webhookStatus(delivery: StoredWebhookDelivery, now: Date): WebhookStatus {
  const { state, attempts, nextAt, answeredAt, pausedAt } = delivery;
  if (state === 'sent')
    return { name: 'sent', title: 'Sent', tone: 'profit', meaning: 'The owner’s address answered that it took it.' };
  if (state === 'failed')
    return {
      name: 'failed',
      title: 'Failed',
      tone: 'loss',
      meaning: 'It was tried as often as is tried, or staff gave it up.',
    };
  // Once the answer is noted, the next try is a pause after it; until then it is the end of the time for a try.
  const isAnswered = answeredAt !== null && nextAt.getTime() - answeredAt.getTime() === 1000 * pauseSeconds(attempts);
  const isWithin = nextAt > now && nextAt.getTime() - now.getTime() <= 1000 * webhookLimits.leaseSeconds;
  if (attempts > 0 && !isAnswered && isWithin)
    return {
      name: 'sending',
      title: 'Being sent',
      tone: 'notice',
      meaning: 'A program waits for the answer of the owner’s address. Look again in a minute.',
    };
  if (pausedAt !== null)
    return {
      name: 'paused',
      title: 'Paused',
      tone: 'plain',
      meaning: 'The webhook failed 20 times in a row. It goes on when its owner saves the address again.',
    };
  if (nextAt > now)
    return {
      name: 'tried',
      title: attempts === 1 ? 'Tried once' : `Tried ${attempts} times`,
      tone: 'notice',
      meaning: 'The owner’s address did not take it yet. Each pause is twice as long as the one before.',
    };
  return {
    name: 'due',
    title: 'Due',
    tone: 'notice',
    meaning: 'The next run sends it, within seconds. Where it stays so, look at the job send-webhooks.',
  };
}
