import type { EventKind } from '@/lib/events/schema';
import type { Price } from '@/lib/odds/schema';
import type { OddsDisplay } from '@/lib/reference/schema';

/** Product §12: the ways by which news reach a person; outgoing webhooks are a portfolio's and hang on the same events. */
export const channelNames = ['app', 'email', 'push', 'telegram'] as const;

/** A way by which news reach a person. */
export type ChannelName = (typeof channelNames)[number];

/** A leg in a message: the bet in words, the price that the tipster took, and the best one on offer to the reader at the moment of sending. */
export type MessageLeg = {
  bet: string;
  fixtureName: string;
  fixtureReference: string;
  /** The start, as an ISO string. */
  startsAt: string;
  taken: Price & { bookmakerName: string };
  /** Null where nobody offers one now. */
  bestNow: (Price & { bookmakerName: string }) | null;
};

/**
 * What reaches one reader of one event: made at the moment of sending, for this reader, with access looked at again: what they may not read is
 * not in it. Texts are plain (escape them for HTML); moments are ISO strings, links whole URLs, stakes and profits hundredths of a unit.
 */
export type Message = {
  /** The same at every try and by every channel: use it as the tag or topic by which a service takes a second one for the first. */
  id: string;
  kind: EventKind;
  at: string;
  /** What it says in one line, and in a few; both hold the prices in the reader's odds format. */
  title: string;
  body: string;
  /** Where it leads. */
  link: string;
  /** Where a tip can be taken into the bet slip; null elsewhere. */
  slipLink: string | null;
  portfolio: { reference: string; name: string; demo: boolean } | null;
  tip: {
    reference: string;
    /** The start of its first leg, as an ISO string. */
    firstStartsAt: string;
    stakeHundredths: number;
    eachWay: boolean;
    /** Empty while the reader may not see the legs; `lock` says why. */
    legs: MessageLeg[];
    lock: 'hidden' | 'members' | null;
    /** All legs together; null while they may not be seen, the best where a leg has none. */
    takenThousandths: number | null;
    bestNowThousandths: number | null;
  } | null;
  post: { reference: string; title: string } | null;
  /** `score` is the final one; null where there is none, of an abandoned match and where no score says who won. */
  fixture: { reference: string; name: string; score: string | null } | null;
  settlement: { version: number; outcome: string; profitHundredths: number } | null;
  /** Product §8: the receipts that a mail about money has in it, whole, so that it can be kept; empty elsewhere. */
  receipts: { title: string; lines: string[]; link: string }[];
};

/** Whom a message is for. */
export type Recipient = {
  accountId: number;
  username: string;
  /** Null where there is none, or none that is confirmed. */
  email: string | null;
  /** A name of the IANA table, such as Europe/London. */
  timeZone: string;
  oddsDisplay: OddsDisplay;
};

/** What came of a try: taken; not taken now, try later; or the way to this person is gone and not to be tried again. */
export type DeliveryOutcome = 'sent' | 'retry' | 'gone';
