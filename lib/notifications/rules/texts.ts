import { formatAmount } from '@/lib/amounts';
import type { MembershipNews, PayoutNews } from '@/lib/events/schema';
import { resultText, type ToldResult } from '@/lib/fixtures/rules';
import { formatCount, formatDate, formatOdds, formatTotalOdds, formatUnits } from '@/lib/format';
import { firstPayments } from '@/lib/memberships/rules';
import type { Receipt } from '@/lib/money/schema';
import type { OddsDisplay } from '@/lib/reference/schema';
import { timeZoneTitleOf } from '@/lib/reference/rules';
import type { TipView } from '@/lib/tips/schema';
import type { MessageLeg } from '../schema/messages';

/** A message's one line and its few. */
export type Words = { title: string; body: string };

const outcomes: Readonly<Record<string, string>> = {
  won: 'won',
  'half-won': 'half won',
  placed: 'placed',
  void: 'void',
  'half-lost': 'half lost',
  lost: 'lost',
};

/** An instant in a member's zone, which is named, as a message may be read anywhere. */
const momentIn = (timeZone: string, iso: string): string =>
  `${formatDate(iso, { timeZone, style: 'day-time' })} (${timeZoneTitleOf(timeZone)})`;

/** What a tip is called by whoever may see its legs, or what is said of one that is locked. */
export function tipName(
  { lock, legCount }: Pick<TipView, 'lock' | 'legCount'>,
  legs: readonly { bet: string }[],
): string {
  if (lock === 'members') return 'A tip for members';
  if (lock === 'hidden')
    return legCount > 1 ? `A hidden tip of ${formatCount(legCount, 'leg', 'legs')}` : 'A hidden tip';
  return legs.map(({ bet }) => bet).join('; ');
}

/** Product §12: what is said of a tip that was published: selection, price taken, the best price now, stake, start. */
export function tipWords(
  portfolio: string,
  tip: TipView,
  legs: readonly MessageLeg[],
  total: { takenThousandths: number | null; bestNowThousandths: number | null },
  { oddsDisplay, timeZone }: { oddsDisplay: OddsDisplay; timeZone: string },
): Words {
  const title = `${portfolio}: ${tipName(tip, legs)}`;
  const stake = `Stake ${formatUnits(tip.stakeHundredths)} units${tip.eachWay ? ' each way' : ''}.`;
  const start = `${tip.legCount > 1 ? 'First leg starts' : 'Starts'} ${momentIn(timeZone, tip.firstStartsAt)}.`;
  if (tip.lock === 'members')
    return { title, body: `Members of ${portfolio} can read it now; everybody can after the start. ${start}` };
  if (tip.lock === 'hidden')
    return { title, body: `It is sealed in the record and will be shown at the start. ${stake} ${start}` };
  const lines = legs.map(({ bet, fixtureName, taken, bestNow }) => {
    const best = bestNow
      ? `best now ${formatOdds(bestNow, oddsDisplay)} at ${bestNow.bookmakerName}`
      : 'no price on offer now';
    return `${bet}, ${fixtureName}: taken at ${formatOdds(taken, oddsDisplay)} (${taken.bookmakerName}), ${best}.`;
  });
  const all =
    legs.length > 1 && total.takenThousandths !== null
      ? [
          `All ${legs.length} legs: taken at ${formatTotalOdds(total.takenThousandths, oddsDisplay)}${
            total.bestNowThousandths === null
              ? ''
              : `, best now ${formatTotalOdds(total.bestNowThousandths, oddsDisplay)}`
          }.`,
        ]
      : [];
  return { title, body: [...lines, ...all, `${stake} ${start}`].join('\n') };
}

/** What is said of a settlement, or of its correction with the reason. */
export function settlementWords(
  portfolio: string,
  name: string,
  { version, outcome, profitHundredths, reason }: TipView['settlements'][number],
): Words {
  const word = outcomes[outcome] ?? outcome;
  const came = `${name}: ${word}, ${formatUnits(profitHundredths, { sign: true })} units.`;
  return version > 1
    ? { title: `${portfolio}: a settlement was corrected`, body: `${came} ${reason ?? ''}`.trim() }
    : { title: `${portfolio}: ${word}, ${name}`, body: came };
}

/** Product §8: a receipt in words, with all that it says, so that a mail with it can be kept. */
export function receiptWords(receipt: Receipt, timeZone: string): { title: string; lines: string[] } {
  const { number, issuedAt, order, isRefund, description, periodStartsAt, periodEndsAt, currencyId } = receipt;
  // What was given back is kept below zero, and the words say so here.
  const price = (minor: number) => formatAmount(Math.abs(minor), currencyId);
  const day = (iso: string) => formatDate(iso, { timeZone, style: 'day' });
  const period = periodStartsAt && periodEndsAt ? ` (${day(periodStartsAt)} to ${day(periodEndsAt)})` : '';
  const coupon = receipt.coupon === null ? '' : ` by coupon ${receipt.coupon}`;
  return {
    title: `${isRefund ? 'Refund receipt' : 'Receipt'} no. ${number}`,
    lines: [
      `Tipledger, ${day(issuedAt)}. Order ${order}.`,
      `${description}${period}.`,
      ...(receipt.discountMinor > 0 ? [`Discount${coupon}: ${price(receipt.discountMinor)}.`] : []),
      `${isRefund ? 'Refunded' : 'Paid'}: ${price(receipt.amountMinor)}, of which tax ${price(receipt.taxMinor)}.`,
    ],
  };
}

const freeByCoupon = 'Your coupon makes this period free, so nothing was charged.';

/** What a member is told about a membership. */
export function membershipWords(portfolio: string, news: MembershipNews, timeZone: string): Words {
  const price = (minor: number) => formatAmount(minor, news.currencyId);
  const day = (iso: string) => formatDate(iso, { timeZone, style: 'day' });
  const leave =
    'You can cancel at any time in your dashboard, and keep access until the end of the period you paid for.';
  const said = (title: string, ...lines: string[]): Words => ({ title, body: lines.join('\n') });
  switch (news.what) {
    case 'joined':
      return said(
        `You are a member of ${portfolio}`,
        news.trial
          ? `Your free trial runs until ${day(news.periodEndsAt)}.`
          : news.paidMinor === 0
            ? freeByCoupon
            : `You paid ${price(news.paidMinor)}. Your receipt is in your dashboard.`,
        `It renews on ${day(news.periodEndsAt)} at ${news.renewalMinor === 0 ? 'no charge' : price(news.renewalMinor)} unless you cancel before then.`,
        ...(news.afterCoupon
          ? [`After ${firstPayments(news.afterCoupon.payments)} it renews at ${price(news.afterCoupon.amountMinor)}.`]
          : []),
        `${leave} Within 14 days of the first payment you can get a refund for the unused days.`,
      );
    case 'renewed':
      return said(
        `Your membership of ${portfolio} was renewed`,
        news.paidMinor === 0
          ? `${freeByCoupon} It runs until ${day(news.periodEndsAt)}.`
          : `You paid ${price(news.paidMinor)}; it runs until ${day(news.periodEndsAt)}. Your receipt is in your dashboard.`,
        leave,
      );
    case 'past due':
      return said(
        `Your membership of ${portfolio} could not be renewed`,
        'Your card could not be charged. Access continues until three days after the renewal was due, and we try the card again within five days. You can add another card under Memberships: it is charged at once.',
      );
    case 'card':
      return said(
        `The card of your membership of ${portfolio} was changed`,
        `It was changed to ${news.label} on ${momentIn(timeZone, news.at)}. Future payments are charged to it.`,
        'If that was not you, change your password now: that logs out everyone else who is using your account. Then change the card again under your memberships, and write to us through the contact page.',
      );
    case 'ended':
      return said(`Your membership of ${portfolio} has ended`, news.because, 'Nothing more is charged.');
    case 'refunded':
      return said(
        `Your membership of ${portfolio} has ended`,
        news.because,
        `${price(news.amountMinor)} goes back to the card that you paid with.`,
      );
    case 'given back':
      return said(
        `${portfolio}: you get ${price(news.amountMinor)} back`,
        news.because,
        `${price(news.amountMinor)} goes back to the card that you paid with. You need not do anything.`,
      );
    case 'other amount':
      return said(`Your payment for ${portfolio} was not the amount that was agreed`, news.because);
    case 'cancelled':
      return said(
        `You cancelled your membership of ${portfolio}`,
        `You keep access until ${day(news.periodEndsAt)}, and nothing more is charged. Until then you can keep it after all, under Memberships.`,
      );
    case 'guarantee':
      return said(
        `${portfolio}: you get ${price(news.amountMinor)} back`,
        `The guarantee for this period was missed. ${news.because}`,
        `${price(news.amountMinor)} goes back to the card that you paid with. You need not do anything.`,
      );
    case 'reminder':
      if (news.needsCard)
        return said(
          `Your membership of ${portfolio} ends on ${day(news.periodEndsAt)}`,
          'It was paid in the sandbox, where no money moves, and cards are charged for real now. Nothing more is charged to that card.',
          `To keep it, add a card of your own under Memberships before that day. It then renews on that day at ${news.amountMinor === 0 ? 'no charge' : price(news.amountMinor)} unless you cancel before then.`,
        );
      return said(
        `Your membership of ${portfolio} renews on ${day(news.periodEndsAt)}`,
        news.amountMinor === 0
          ? 'There is no charge on that day, as your coupon covers it. It renews unless you cancel before then.'
          : `You will be charged ${price(news.amountMinor)} on that day unless you cancel before then.`,
        leave,
      );
    case 'price':
      return said(`The price of ${portfolio} changes`, raised(news, { price, day }), leave);
  }
}

/** A higher price as the member is charged it. */
function raised(
  { fromMinor, toMinor, from, afterCoupon }: Extract<MembershipNews, { what: 'price' }>,
  { price, day }: { price: (minor: number) => string; day: (iso: string) => string },
): string {
  const costs = `Periods that begin on ${day(from)} or later cost ${price(toMinor)} instead of ${price(fromMinor)}`;
  const paid = 'The period that you have already paid for does not change.';
  if (!afterCoupon) return `${costs}. ${paid}`;
  const payments = firstPayments(afterCoupon.payments);
  return afterCoupon.amountMinor === toMinor
    ? `${costs} once your coupon no longer applies, after ${payments}. Until then you pay the same as before.`
    : `${costs} with your coupon, and ${price(afterCoupon.amountMinor)} after ${payments}. ${paid}`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What an owner is told about a payout. */
export function payoutWords(portfolio: string | null, { what, amountMinor, currencyId, because }: PayoutNews): Words {
  const amount = formatAmount(amountMinor, currencyId);
  const from = portfolio ?? 'your affiliate fees';
  return what === 'paid'
    ? {
        title: `${amount} from ${from} was paid out`,
        body: 'It is on its way to you. The linked page shows the breakdown.',
      }
    : {
        title: `${amount} from ${from} could not be paid out`,
        body: [
          sentence(because ?? 'It was refused, and no reason was given.'),
          'Nothing is lost: the amount is payable again. Fix the problem above, then request the payout again on the linked page. If it is not clear what to do, write to us through the contact page.',
        ].join('\n'),
      };
}

/** Product §12: what somebody who watches a fixture is told of its result. */
export function resultWords({ name, ...told }: ToldResult & { name: string }): Words {
  const { abandoned, finalScore } = told.score;
  const body = 'See the result, and how the tips on it did, on the fixture page.';
  if (abandoned)
    return {
      title: `${name} was abandoned${finalScore ? ` at ${finalScore.displayName}` : ''}`,
      body: 'See what became of the tips on it on the fixture page.',
    };
  const result = resultText(told);
  return { title: result === null ? `${name} has a result` : `${name}: ${result}`, body };
}
