/** What a card does that a person pays with: now, or at renewals. */
export type Card = 'success' | 'declined' | 'declined-later' | 'chargeback-later' | 'cancelled';

/** What a coupon takes off of the first so many payments, of all with null: percent, or pence. */
export type Coupon = { code: string; percent: number | null; pence: number | null; payments: number | null };

/** Who sells memberships by the month: a portfolio, or the site, whose membership opens the portfolios of a team. */
export type Seller = { id: number | null; pence: number; coupons: readonly Coupon[] };

/** A membership that runs, in hours since the beginning and in pence. */
export type Membership = {
  number: number;
  seller: Seller;
  card: Card;
  coupon: Coupon | null;
  pays: number;
  next: null | { pence: number; from: number };
  anchor: number;
  periods: number;
  start: number;
  end: number;
  cancelled: boolean;
  tries: number;
  /** What the renewal that failed asks for: the price when it fell due, whatever the price is by now. */
  owed: number | null;
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

const [day, month] = [24, 30 * 24];
const triesAfterDays = [1, 3, 5];
const graceDays = 3;
const coolingOffDays = 14;
const reminderDays = 7;
const disputedAfter = 2 * day;

/** Product §8 in hours and pence, for memberships by the month that were counted from a beginning in UTC; made by another way than the program's. */
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
      start: now,
      end: this.monthsLater(now, 1),
      cancelled: false,
      tries: 0,
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

  private renew(person: Person, membership: Membership, now: number, moment: number | string): void {
    const full = priceAt(membership);
    const pence = membership.owed ?? afterCoupon(full, membership.coupon, membership.periods + 1);
    const coolingOff = pence > membership.paid.pence;
    if (full === membership.next?.pence) membership.next = null;
    membership.pays = full;
    membership.owed = null;
    membership.periods += 1;
    membership.start = membership.end;
    membership.end = this.monthsLater(membership.anchor, membership.periods);
    membership.tries = 0;
    membership.paid = { at: now, pence };
    if (coolingOff) membership.refundable = hourOf(moment) + coolingOffDays * day;
    this.charge(person, membership, pence, now);
    this.tell(person, membership, 'renewed', moment);
  }

  private fail(person: Person, membership: Membership, moment: number | string): void {
    membership.owed ??= afterCoupon(priceAt(membership), membership.coupon, membership.periods + 1);
    const isOver = membership.tries > triesAfterDays.length;
    if (isOver) person.memberships.delete(membership.seller);
    this.tell(person, membership, isOver ? 'ended' : 'past due', moment);
  }

  /** Does what is due at an hour, as the jobs do; `moment` is when what is charged is told. */
  pass(person: Person, now: number, moment: number | string = now): void {
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
      else if (membership.card === 'declined-later') {
        membership.tries += 1;
        this.fail(person, membership, moment);
      } else this.renew(person, membership, now, moment);
    }
    for (const membership of person.memberships.values()) {
      if (reminderAt(membership) > now || membership.end <= now) continue;
      membership.reminded = membership.end;
      const pence = afterCoupon(priceAt(membership), membership.coupon, membership.periods + 1);
      if (pence > membership.paid.pence) this.tell(person, membership, 'reminder', now);
    }
  }

  /** The next hour at which something becomes of somebody by itself. */
  nextAt(person: Person, now: number): number {
    const disputes = person.payments.flatMap(({ at, disputable, disputed }) =>
      disputable && !disputed ? [at + disputedAfter] : [],
    );
    const dues = [...person.memberships.values()].flatMap((membership) => [
      renewalAt(membership),
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
    const { anchor, coupon, pays } = membership;
    let periods = membership.periods;
    while (this.monthsLater(anchor, periods) < now + month) periods += 1;
    const rises = [periods + 1, Number.POSITIVE_INFINITY]
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
    if (card === 'declined-later') this.fail(person, membership, now);
    else this.renew(person, membership, now, now);
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

  mayTakeBack({ paid, refundable }: Membership, now: number): boolean {
    return paid.pence > 0 && now < refundable;
  }

  takeBack(person: Person, membership: Membership, now: number): void {
    const days = Math.round((membership.end - membership.start) / day);
    const used = Math.min(days, Math.ceil((now - membership.start) / day));
    const last = person.payments.findLast(({ of }) => of === membership);
    if (last) last.refunded = Math.floor((membership.paid.pence * (days - used)) / days);
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

const renewalAt = ({ tries, end }: Membership) => (tries === 0 ? end : end + (triesAfterDays[tries - 1] ?? 0) * day);

const reminderAt = ({ cancelled, tries, reminded, end }: Membership) =>
  cancelled || tries > 0 || reminded === end ? Number.POSITIVE_INFINITY : end - reminderDays * day;

const priceAt = ({ next, end, pays }: Membership) => (next && end >= next.from ? next.pence : pays);

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
