import 'server-only';
import { type RawBuilder, sql } from 'kysely';
import type { ChannelName, DeliveryOutcome, Message, Recipient } from '../schema/messages';

/** A way to people outside this site, as the sender of news uses it. */
export type Channel = {
  channel: Exclude<ChannelName, 'app'>;
  /** SQL that holds for an `account` that this way leads to; nothing is put down for others. Looked at when news are spread and again when they are sent. */
  reach: RawBuilder<boolean>;
} & (Ours | Outward);

/** A message with whom it is for, and the delivery that it belongs to, if it belongs to one. */
export type Addressed = { id?: number; message: Message; recipient: Recipient };

/** A way whose delivering is a write to our own database: it is called in the transaction that notes it, and so happens once. */
type Ours = {
  isOurs: true;
  /** Puts messages down all at once, in their order; gives what came of each. */
  deliverAll(given: readonly Addressed[], now: Date): Promise<DeliveryOutcome[]>;
};

/**
 * A way through a service: called outside any transaction, by several programs at once, each message by one at a time; it may come twice only where
 * a program dies between the yes of the service and our note of it.
 */
export type Outward = {
  isOurs: false;
  /** Reads at once how these accounts are reached. */
  open(accountIds: readonly number[]): Promise<Line>;
};

/** A way to some accounts, as it was when it was opened. */
export type Line = {
  /**
   * Hands a message over within some seconds. `retry`, and whatever throws, is tried again after 30 s and then twice as long each time, 10 tries at most, and
   * never once a tip has started. `gone`: there is no way to this person any more; the channel has removed what it knew of it.
   */
  deliver(message: Message, recipient: Pick<Recipient, 'accountId'>): Promise<DeliveryOutcome>;
  /** Writes down at once what was learnt of the way by what was handed over since. */
  note(now: Date): Promise<void>;
};

/** SQL that holds for an `account` that mail reaches: its address is confirmed, and has not sent mail back. */
export const reachedByMail: RawBuilder<boolean> = sql<boolean>`(account.email is not null and account.email_confirmed
  and not exists (select 1 from mail_stop where mail_stop.address = lower(account.email)))`;
