/** What a card does that a person pays with: now, or at renewals. */
export type Card = 'success' | 'declined' | 'declined-later' | 'chargeback-later' | 'cancelled';

/** What a coupon takes off of the first so many payments, of all with null: percent, or pence. */
export type Coupon = { code: string; percent: number | null; pence: number | null; payments: number | null };

/** Who sells memberships: a portfolio, or the site, whose membership opens the portfolios of a team. */
export type Seller = { id: number | null; period: 'week' | 'month'; pence: number; coupons: readonly Coupon[] };

/** A membership that runs, in hours since the beginning and in pence. */
export type Membership = {
  number: number;
  seller: Seller;
  card: Card;
  coupon: Coupon | null;
  pays: number;
  next: null | { pence: number; from: number };
  anchor: number;
  /** The number of the period that was paid last; one that was wholly past when it could be charged keeps its number, and nobody pays it. */
  periods: number;
  payments: number;
  start: number;
  end: number;
  cancelled: boolean;
  tries: number;
  /** When the renewal that failed is tried again. */
  nextTry: number;
  /** The period that the renewal that failed is for, and what it asks for: the price when it was first tried, whatever the price is by now. */
  owed: null | { pence: number; period: number };
  paid: { at: number; pence: number };
  /** Until when what runs can be taken back, by whichever payment gives the longest. */
  refundable: number;
  /** The end of the period of which the member was reminded, or needed not be. */
  reminded: number | null;
};

export type Payment = {
  at: number;
  pence: number;
  refunded: number;
  disputable: boolean;
  disputed: boolean;
  of: Membership;
};

/** When a provider is asked for a renewal, and when its answer is noted: an hour, or some seconds behind it, as in `7+10s`. */
export type When = { charged: number | string; noted: number | string };

/** Somebody who buys. */
export type Person = {
  memberships: Map<Seller, Membership>;
  payments: Payment[];
  /** What they were told of which membership: its number in the order in which they were bought, what, and when. */
  told: string[];
  team: Set<Seller>;
  switchedAt: number | null;
  bought: number;
};

export const newPerson = (): Person => ({
  memberships: new Map(),
  payments: [],
  told: [],
  team: new Set(),
  switchedAt: null,
  bought: 0,
});

const [day, month, week] = [24, 30 * 24, 7 * 24];
const triesAfterDays = [1, 3, 5];
const graceDays = 3;
const coolingOffDays = 14;
const reminderDays = 7;
const disputedAfter = 2 * day;

/** Product §8 in hours and pence, for memberships by the week and by the month that were counted from a beginning in UTC; made by another way than the program's. */
export class Rules {
  constructor(private readonly beginning: number) {}

  /** So many months after an hour. */
  private monthsLater(anchor: number, months: number): number {
    const from = new Date(this.beginning + anchor * 3_600_000);
    const [year, monthOfYear] = [from.getUTCFullYear(), from.getUTCMonth() + months];
    const [y, m] = [year + Math.floor(monthOfYear / 12), monthOfYear % 12];
    const lastOfFebruary = new Date(Date.UTC(y, 2, 0)).getUTCDate();
    const last = [31, lastOfFebruary, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m] ?? 31;
    const to = Date.UTC(y, m, Math.min(from.getUTCDate(), last), from.getUTCHours(), from.getUTCMinutes());
    return (to - this.beginning) / 3_600_000;
  }

  /** When so many periods of a membership are over. */
  private after({ anchor, seller }: Pick<Membership, 'anchor' | 'seller'>, periods: number): number {
    return seller.period === 'week' ? anchor + periods * week : this.monthsLater(anchor, periods);
  }

  private tell(person: Person, { number }: Membership, what: string, at: number | string): void {
    const line = `${number} ${what} ${at}`;
    // A thing is told once, however often it is done in the same moment.
    if (!person.told.includes(line)) person.told.push(line);
  }

  buy(person: Person, seller: Seller, { card, coupon }: { card: Card; coupon: Coupon | null }, now: number): void {
    const pence = afterCoupon(seller.pence, coupon, 1);
    person.bought += 1;
    const membership: Membership = {
      number: person.bought,
      seller,
      card,
      coupon,
      pays: seller.pence,
      next: null,
      anchor: now,
      periods: 1,
      payments: 1,
      start: now,
      end: this.after({ anchor: now, seller }, 1),
      cancelled: false,
      tries: 0,
      nextTry: 0,
      owed: null,
      paid: { at: now, pence },
      refundable: now + coolingOffDays * day,
      reminded: null,
    };
    person.memberships.set(seller, membership);
    this.charge(person, membership, pence, now);
    this.tell(person, membership, 'joined', now);
  }

  private charge(person: Person, of: Membership, pence: number, at: number): void {
    const disputable = of.card === 'chargeback-later';
    person.payments.push({ at, pence, refunded: 0, disputable, disputed: false, of });
  }

  /** The renewal that is to be charged: of those whose period is not over yet, the one that failed before, or else the next. */
  private due(membership: Membership, now: number): { pence: number; period: number } {
    if (membership.owed) return membership.owed;
    let period = membership.periods + 1;
    while (this.after(membership, period) <= now) period += 1;
    const full = priceAt(membership, this.after(membership, period - 1));
    return { pence: afterCoupon(full, membership.coupon, membership.payments + 1), period };
  }

  private renew(person: Person, membership: Membership, now: number, { charged, noted }: When): void {
    const { pence, period } = this.due(membership, now);
    const start = this.after(membership, period - 1);
    const full = priceAt(membership, start);
    const coolingOff = pence > membership.paid.pence;
    if (full === membership.next?.pence) membership.next = null;
    membership.pays = full;
    membership.owed = null;
    membership.periods = period;
    membership.payments += 1;
    membership.start = start;
    membership.end = this.after(membership, period);
    membership.tries = 0;
    membership.paid = { at: now, pence };
    if (coolingOff) membership.refundable = hourOf(noted) + coolingOffDays * day;
    this.charge(person, membership, pence, hourOf(charged));
    this.tell(person, membership, 'renewed', noted);
  }

  /** A try that fails. Before its day, by another card, it is none of those of the clock; more than half a day late it moves those behind it. */
  private fail(person: Person, membership: Membership, now: number, { noted }: When): void {
    const owed = (membership.owed ??= this.due(membership, now));
    const [due, at] = [this.after(membership, owed.period - 1), hourOf(noted)];
    const isEarly = membership.tries > 0 && due + dayOfTry(membership.tries) * day > at;
    if (!isEarly) membership.tries += 1;
    const { tries } = membership;
    const planned = due + dayOfTry(tries) * day;
    const spaced = at + (dayOfTry(tries) - (tries > 1 ? dayOfTry(tries - 1) : 0)) * day;
    membership.nextTry = !isEarly && spaced > planned + day / 2 ? spaced : planned;
    const isOver = membership.nextTry >= this.after(membership, owed.period);
    if (isOver) person.memberships.delete(membership.seller);
    this.tell(person, membership, isOver ? 'ended' : 'past due', noted);
  }

  /** Does what is due at an hour, as the jobs do; what is charged is asked for and noted then, or later. */
  pass(person: Person, now: number, { charged = now, noted = now }: Partial<When> = {}): void {
    const when = { charged, noted };
    for (const payment of person.payments) {
      if (!payment.disputable || payment.disputed || payment.at + disputedAfter > now) continue;
      payment.disputed = true;
      if (person.memberships.get(payment.of.seller) !== payment.of) continue;
      person.memberships.delete(payment.of.seller);
      this.tell(person, payment.of, 'ended', now);
    }
    for (const membership of [...person.memberships.values()]) {
      if (renewalAt(membership) > now) continue;
      if (membership.cancelled) person.memberships.delete(membership.seller);
      else if (membership.owed && this.after(membership, membership.owed.period) <= now) {
        person.memberships.delete(membership.seller);
        this.tell(person, membership, 'ended', now);
      } else if (membership.card === 'declined-later') this.fail(person, membership, now, when);
      else this.renew(person, membership, now, when);
    }
    for (const membership of person.memberships.values()) {
      if (reminderAt(membership) > now || membership.end <= now) continue;
      membership.reminded = membership.end;
      const pence = afterCoupon(priceAt(membership, membership.end), membership.coupon, membership.payments + 1);
      if (pence > membership.paid.pence) this.tell(person, membership, 'reminder', now);
    }
  }

  /** The next hour at which something becomes of somebody by itself. */
  nextAt(person: Person, now: number): number {
    const disputes = person.payments.flatMap(({ at, disputable, disputed }) =>
      disputable && !disputed ? [Math.ceil(at + disputedAfter)] : [],
    );
    const dues = [...person.memberships.values()].flatMap((membership) => [
      Math.ceil(renewalAt(membership)),
      Math.max(reminderAt(membership), now + 1),
      // Where a mistake of an hour would be seen.
      ...[-1, 1, graceDays * day - 1, graceDays * day + 1].map((hours) => membership.end + hours),
    ]);
    return Math.min(Number.POSITIVE_INFINITY, ...[...disputes, ...dues].filter((at) => at > now));
  }

  changePrice(people: Iterable<Person>, seller: Seller, pence: number, now: number): void {
    seller.pence = pence;
    for (const person of people) {
      const membership = person.memberships.get(seller);
      if (membership) this.followPrice(person, membership, now);
    }
  }

  private followPrice(person: Person, membership: Membership, now: number): void {
    const { pence } = membership.seller;
    if ((membership.next?.pence ?? membership.pays) === pence) return;
    const isRaised = pence > membership.pays;
    // Whoever has cancelled is charged nothing more, whatever it costs.
    if (isRaised && membership.cancelled) return;
    membership.next = isRaised ? { pence, from: now + month } : null;
    if (!isRaised) membership.pays = pence;
    else this.tellRise(person, membership, pence, now);
  }

  /** The first charge that the higher price raises is told: after the coupon, or behind it; none where none is raised. */
  private tellRise(person: Person, membership: Membership, pence: number, now: number): void {
    const { coupon, payments, periods, pays } = membership;
    let before = 0;
    while (this.after(membership, periods + before) < now + month) before += 1;
    const rises = [payments + 1 + before, Number.POSITIVE_INFINITY]
      .map((payment) => [afterCoupon(pays, coupon, payment), afterCoupon(pence, coupon, payment)] as const)
      .find(([from, to]) => to > from);
    if (rises) this.tell(person, membership, `price ${rises[0]} to ${rises[1]}`, now);
  }

  /** A card for a membership; what is past due is charged at once, and a card that is declined too uses up none of the days. */
  changeCard(person: Person, membership: Membership, card: Card, now: number): void {
    if (card === 'declined' || card === 'cancelled') return;
    membership.card = card;
    this.tell(person, membership, 'card', now);
    if (membership.tries === 0) return;
    if (card === 'declined-later') this.fail(person, membership, now, { charged: now, noted: now });
    else this.renew(person, membership, now, { charged: now, noted: now });
  }

  cancel(person: Person, membership: Membership, now: number): void {
    if (membership.cancelled) return;
    if (membership.end <= now) {
      person.memberships.delete(membership.seller);
      return this.tell(person, membership, 'ended', now);
    }
    membership.cancelled = true;
    this.tell(person, membership, 'cancelled', now);
  }

  keep(person: Person, membership: Membership, now: number): void {
    if (!membership.cancelled) return;
    membership.cancelled = false;
    this.followPrice(person, membership, now);
  }

  mayTakeBack(membership: Membership, now: number): boolean {
    return now < membership.refundable && unused(membership, now) > 0;
  }

  takeBack(person: Person, membership: Membership, now: number): void {
    const last = person.payments.findLast(({ of }) => of === membership);
    if (last) last.refunded = unused(membership, now);
    person.memberships.delete(membership.seller);
    this.tell(person, membership, 'refunded', now);
  }

  /** Whether a membership opens what was bought. */
  opens(membership: Membership | undefined, now: number): boolean {
    return membership !== undefined && now < membership.end + (membership.cancelled ? 0 : graceDays * day);
  }

  maySwitch({ switchedAt }: Person, now: number): boolean {
    return switchedAt === null || switchedAt + 7 * day <= now;
  }
}

/** The hour of a moment: of one that is noted some seconds late a part of an hour more, as in `7+10s`. */
const hourOf = (moment: number | string): number => {
  const [hour = 0, seconds = 0] = String(moment).split(/[+s]/).map(Number);
  return hour + seconds / 3_600;
};

/** How many days after it was due a renewal is tried again when so many tries have failed. */
const dayOfTry = (tries: number) => triesAfterDays[tries - 1] ?? Number.POSITIVE_INFINITY;

const renewalAt = ({ tries, end, nextTry }: Membership) => (tries === 0 ? end : nextTry);

/** What is left of the payment for the period that runs, in pence, by days that have not begun. */
function unused({ start, end, paid }: Membership, now: number): number {
  const days = Math.round((end - start) / day);
  const used = Math.min(days, Math.max(0, Math.ceil((now - start) / day)));
  return Math.floor((paid.pence * (days - used)) / days);
}

const reminderAt = ({ cancelled, tries, reminded, end }: Membership) =>
  cancelled || tries > 0 || reminded === end ? Number.POSITIVE_INFINITY : end - reminderDays * day;

const priceAt = ({ next, pays }: Membership, start: number) => (next && start >= next.from ? next.pence : pays);

/** A price after a coupon, of the first payment, the second and so on. */
export function afterCoupon(pence: number, coupon: Coupon | null, payment: number): number {
  if (!coupon || (coupon.payments !== null && payment > coupon.payments)) return pence;
  return coupon.percent === null ? pence - (coupon.pence ?? 0) : pence - Math.floor((pence * coupon.percent) / 100);
}

/** What came in, went back and was disputed, in pence. */
export function totals(payments: readonly Payment[]): { charged: number; refunded: number; disputed: number } {
  const sum = (of: (payment: Payment) => number) => payments.reduce((all, payment) => all + of(payment), 0);
  return {
    charged: sum(({ pence }) => pence),
    refunded: sum(({ refunded }) => refunded),
    disputed: sum(({ disputed, pence, refunded }) => (disputed ? pence - refunded : 0)),
  };
}
