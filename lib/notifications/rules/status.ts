import type { EventKind } from '@/lib/events/schema';
import type { ChannelName } from '../schema/messages';

/** A delivery as it is stored, as far as it says how it stands. */
export type StoredDelivery = {
  channel: ChannelName;
  state: 'waiting' | 'sent' | 'dropped';
  because: string | null;
  digest: boolean;
  nextAt: Date;
  attempts: number;
};

/** How something in a queue stands: a name for what staff may do, a few words, and what they mean to who runs the site. */
export type Status<N extends string = string> = {
  name: N;
  title: string;
  tone: 'plain' | 'profit' | 'loss' | 'notice';
  meaning: string;
};

/** How a delivery stands. */
export type DeliveryStatus = Status<
  'due' | 'held' | 'daily' | 'sending' | 'tried' | 'sent' | 'failed' | 'dropped' | 'given-up'
>;

/** What a delivery that staff gave up says of itself. */
export const givenUpByStaff = 'given up by staff';

/** Product §12: the seconds after the first try of a message to a service; each pause is twice as long as the one before. */
export const firstPauseSeconds = 30;

/** The ways by which deliveries go, in words. */
export const channelTitles: Readonly<Record<ChannelName, string>> = {
  app: 'List in the app',
  email: 'E-mail',
  push: 'Push',
  telegram: 'Telegram',
};

/** What happened, in words. */
export const eventTitles: Readonly<Record<EventKind, string>> = {
  tip: 'Tip',
  post: 'Post',
  settlement: 'Settlement',
  correction: 'Correction',
  membership: 'Membership',
  payout: 'Payout',
  'fixture-start': 'Start of a fixture',
  'fixture-result': 'Result of a fixture',
  staff: 'Message of staff',
};

const reasons: Readonly<Record<string, string>> = {
  refused: 'The service did not take it in ten tries.',
  'no way': 'No way led to the reader: no device, no chat, no confirmed address, or mail to it is stopped.',
  'no account': 'The account is gone.',
  'not theirs any more': 'The reader does not follow, watch or belong to it any more.',
  'not wanted any more': 'The reader turned it off, or takes a break from betting.',
  'no access': 'The reader may not see it any more.',
  started: 'The tip had started: it is no news then.',
  gone: 'What it is about was removed.',
  [givenUpByStaff]: 'Staff gave it up.',
};

/** Why a delivery was not sent, in words; null for one that was or waits. */
export const whyNotSent = (because: string | null): string | null =>
  because === null ? null : (reasons[because] ?? because);

const sentMeanings: Readonly<Record<ChannelName, string>> = {
  app: 'It stands in the reader’s list.',
  email: 'It was put into the mail outbox. What it says is looked at once more when it goes to the mail server.',
  push: 'The push service of the reader’s browser took it.',
  telegram: 'Telegram took it.',
};

/** When a program took a message in hand for its last try; null where none did. */
function claimedAt({ channel, attempts, nextAt }: StoredDelivery): Date | null {
  if (channel === 'email' || attempts === 0) return null;
  return new Date(nextAt.getTime() - 1000 * firstPauseSeconds * 2 ** (attempts - 1));
}

function waitingStanding(delivery: StoredDelivery, now: Date): DeliveryStatus {
  const { digest, nextAt, attempts } = delivery;
  const claimed = claimedAt(delivery);
  const since = claimed === null ? -1 : now.getTime() - claimed.getTime();
  // Ours (0085): within the first pause nobody else tries, and the service has answered or counts as silent.
  if (since >= 0 && since < 1000 * firstPauseSeconds)
    return {
      name: 'sending',
      title: 'Being sent',
      tone: 'notice',
      meaning: 'A program has handed it to the service and waits for the answer. Look again in half a minute.',
    };
  if (digest)
    return {
      name: 'daily',
      title: 'Daily mail',
      tone: 'plain',
      meaning: 'It goes out with others in one mail, at the hour that the reader chose.',
    };
  if (nextAt <= now)
    return {
      name: 'due',
      title: 'Due',
      tone: 'notice',
      meaning: 'The next run sends it, within seconds. Where it stays so, look at the job send-news.',
    };
  if (since >= 0)
    return {
      name: 'tried',
      title: attempts === 1 ? 'Tried once' : `Tried ${attempts} times`,
      tone: 'notice',
      meaning: 'The service did not take it yet. It is tried ten times, each pause twice as long as the one before.',
    };
  return {
    name: 'held',
    title: 'Held',
    tone: 'plain',
    meaning:
      'The reader has quiet hours, or its text could not be made: then the program’s log says why (news_unreadable). It is looked at again at its next try.',
  };
}

/** Product §11, §12: how a delivery stands at a moment, in the words of who runs the site. */
export function deliveryStatus(delivery: StoredDelivery, now: Date): DeliveryStatus {
  const { state, because, channel } = delivery;
  if (state === 'waiting') return waitingStanding(delivery, now);
  if (state === 'sent') return { name: 'sent', title: 'Sent', tone: 'profit', meaning: sentMeanings[channel] };
  const meaning = whyNotSent(because) ?? '';
  if (because === 'refused')
    return {
      name: 'failed',
      title: 'Failed',
      tone: 'loss',
      meaning: `${meaning} Where the service gave a reason, the program’s log has it (news_failed, with this number).`,
    };
  if (because === givenUpByStaff) return { name: 'given-up', title: 'Given up', tone: 'plain', meaning };
  return { name: 'dropped', title: 'Not sent', tone: 'plain', meaning };
}

/** A mail of the outbox, as far as it says how it stands. */
export type StoredMail = { attempts: number; nextAt: Date; failure: string | null };

/** How a mail of the outbox stands. */
export type MailStatus = Status<'due' | 'sending' | 'tried' | 'failed' | 'given-up' | 'held'>;

/** How often a mail is tried and how long between, and what stands as the failure of one that staff gave up; `serverKnown` is false where the program has no mail server to send through. */
export type MailTries = {
  most: number;
  firstPauseSeconds: number;
  longestPauseSeconds: number;
  givenUp: string;
  serverKnown: boolean;
};

// As long as a mail server may be silent before it counts as lost, and some more.
const handlingSeconds = 60;

/** Product §11: how a mail of the outbox stands at a moment, in the words of who runs the site. */
export function mailStatus({ attempts, nextAt, failure }: StoredMail, tries: MailTries, now: Date): MailStatus {
  if (failure === tries.givenUp && attempts >= tries.most)
    return {
      name: 'given-up',
      title: 'Given up',
      tone: 'plain',
      meaning: 'Staff gave it up. It is removed when it is a month old.',
    };
  const pause = Math.min(tries.longestPauseSeconds, tries.firstPauseSeconds * 2 ** (attempts - 1));
  const claimed = nextAt.getTime() - 1000 * pause;
  const isHandled = attempts > 0 && now >= new Date(claimed) && now.getTime() - claimed < 1000 * handlingSeconds;
  if (isHandled && nextAt > now)
    return {
      name: 'sending',
      title: 'Being sent',
      tone: 'notice',
      meaning: 'A program has it in hand, or its last try has just failed. Look again in a minute.',
    };
  if (attempts >= tries.most)
    return {
      name: 'failed',
      title: 'Failed',
      tone: 'loss',
      meaning: `The mail server did not take it in ${tries.most} tries. It is not tried again, and removed when it is a month old.`,
    };
  // No pause between two tries is as long.
  if (claimed > now.getTime())
    return {
      name: 'held',
      title: 'Held',
      tone: 'plain',
      meaning: 'The reader has quiet hours: it goes to the mail server once they are over.',
    };
  if (attempts === 0)
    return {
      name: 'due',
      title: 'Due',
      tone: 'notice',
      meaning: tries.serverKnown
        ? 'The next run sends it, within seconds. Where it stays so, look at the job send-mails.'
        : 'The program has no mail server (SMTP_URL): mails stay here until it has one.',
    };
  return {
    name: 'tried',
    title: attempts === 1 ? 'Tried once' : `Tried ${attempts} times`,
    tone: 'notice',
    meaning: `The mail server did not take it yet. It is tried ${tries.most} times, at most an hour apart.`,
  };
}
