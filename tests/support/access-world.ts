import type { Viewer } from '@/lib/access/schema';
import { suspendUser } from '@/lib/accounts/commands';
import type { IssuedSession } from '@/lib/accounts/schema';
import {
  cancelMembership,
  confirmTeam,
  readOrder,
  renewMemberships,
  setPlans,
  setProPart,
  startCheckout,
  writeProPlans,
} from '@/lib/memberships/commands';
import type { OrderView } from '@/lib/memberships/schema';
import { chooseOutcome } from '@/lib/money/commands';
import type { SandboxOutcome } from '@/lib/money/schema';
import { transact } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { createPortfolio } from '@/lib/portfolios/commands';
import { CurrencyId, PortfolioVisibility, Role } from '@/lib/reference/schema';
import { type AccountGiven, logIn, openAccount, proveStaff, viewerOf } from './accounts';
import { type Known, known, lockedText, nameOfKind } from './access-kinds';
import { offer } from './members';
import { publishPost, publishTip } from './moments';
import { pageOf } from './sales';

/** Somebody of the access matrix, with their login. */
export type AccessPerson = { id: number; login: IssuedSession; viewer: Viewer };

/** Everybody of the access matrix, and the portfolio of its owner, which sells by the week. */
export type AccessWorld = {
  people: Readonly<Record<Known, AccessPerson>>;
  portfolio: { id: number; reference: string };
  /** What the active member bought, and what they have by it. */
  order: string;
  membership: string;
};

const given: Partial<Record<Known, AccountGiven>> = {
  unverified: { confirmed: false },
  admin: { role: Role.admin },
  'super admin': { role: Role.superAdmin },
  'unproven staff': { role: Role.superAdmin },
  'suspended staff': { role: Role.superAdmin },
};

const weekMinor = 1_000;
const proMinor = 3_000;
const weekly = {
  mainCurrencyId: CurrencyId.GBP,
  plans: [{ period: 'week' as const, onSale: true, prices: [{ currencyId: CurrencyId.GBP, amountMinor: weekMinor }] }],
};

async function openPeople(now: Date, began: Date, mark: string): Promise<Record<Known, AccessPerson>> {
  const people = {} as Record<Known, AccessPerson>;
  for (const kind of known) {
    const account = given[kind] ?? {};
    const id = await openAccount(nameOfKind(kind, mark), account, began);
    const login = await logIn(id, now, account.role);
    if (account.role !== undefined && kind !== 'unproven staff') await proveStaff(login, now);
    people[kind] = { id, login, viewer: await viewerOf(login, now) };
  }
  return people;
}

type Asked = Parameters<typeof startCheckout>[1];

async function buy(viewer: Viewer, asked: Asked, at: Date, outcome: SandboxOutcome = 'success'): Promise<OrderView> {
  return decidedAt(at, async () => {
    const order = await startCheckout(viewer, asked, 'bought');
    await chooseOutcome(pageOf(order), outcome);
    const bought = await readOrder(viewer, order.reference);
    if (bought.status !== 'paid') throw new Error(`What should be paid is ${bought.status}: ${bought.because}`);
    return bought;
  });
}

/** Opens an account for each kind of visitor who has one, and brings each into their state by what people do and what the clock does, in the order of time. */
export async function openAccessWorld(
  now: Date,
  { mark = '', names = ['Ann Football', 'Other tips'] as readonly [string, string] } = {},
): Promise<AccessWorld> {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const began = before(60);
  const people = await openPeople(now, began, mark);
  const viewer = (kind: Known) => people[kind].viewer;
  const seller = async (kind: Known, name: string) => {
    const made = await createPortfolio(viewer(kind), { name, visibility: PortfolioVisibility.premium }, began);
    people[kind].viewer = await viewerOf(people[kind].login, now);
    await decidedAt(began, () => setPlans(viewer(kind), made.reference, weekly, undefined, began));
    return made;
  };
  const portfolio = await seller('owner', names[0]);
  const other = await seller('other owner', names[1]);
  for (const [kind, { reference }] of [
    ['owner', portfolio],
    ['other owner', other],
  ] as const)
    await decidedAt(began, () => setProPart(viewer(kind), reference, true, 'takes-part', began));
  const week = { portfolio: portfolio.reference, period: 'week', amountMinor: weekMinor } as const;
  const pro = { period: 'month', amountMinor: proMinor } as const;
  const prices = [{ currencyId: CurrencyId.GBP, amountMinor: proMinor }];
  const sellPro = (onSale: boolean, at: Date) =>
    transact(() => writeProPlans([{ period: 'month', onSale, prices }], at));
  const renew = (at: Date) => decidedAt(at, () => renewMemberships(at));
  const cancel = ({ membership }: OrderView, kind: Known, at: Date) =>
    decidedAt(at, () => cancelMembership(viewer(kind), membership ?? ''));

  await sellPro(true, began);
  await cancel(await buy(viewer('pro ended'), pro, before(40)), 'pro ended', before(39));
  await buy(viewer('overdue'), week, before(11), 'declined-later');
  await cancel(await buy(viewer('ended'), week, before(9)), 'ended', before(8));
  await renew(before(4));
  await renew(before(1));
  await buy(viewer('past due'), week, before(7.5), 'declined-later');
  await renew(before(0.5));
  await cancel(await buy(viewer('cancelled'), week, before(1)), 'cancelled', before(0.5));
  const { reference: order, membership } = await buy(viewer('active'), week, before(1));
  await buy(viewer('member elsewhere'), { ...week, portfolio: other.reference }, before(1));
  for (const [kind, team] of [
    ['pro in team', portfolio],
    ['pro out of team', other],
  ] as const) {
    await buy(viewer(kind), pro, before(1));
    await decidedAt(before(1), () => confirmTeam(viewer(kind), [team.reference], 'team', before(1)));
  }
  await sellPro(false, before(1));
  const offer = (trialDays: number) =>
    decidedAt(now, () => setPlans(viewer('owner'), portfolio.reference, { ...weekly, trialDays }, undefined, now));
  await offer(7);
  await buy(viewer('trial'), { ...week, amountMinor: 0 }, now);
  await offer(0);
  await decidedAt(now, () =>
    suspendUser({
      staff: viewer('super admin'),
      user: people['suspended staff'].id,
      reason: 'A test.',
      preview: false,
    }),
  );
  for (const kind of known) people[kind].viewer = await viewerOf(people[kind].login, now);
  return { people, portfolio, order, membership: membership ?? '' };
}

/** What the owner's portfolio has for its members. */
export type ForMembers = { tip: string; post: string; legs: Awaited<ReturnType<typeof offer>>[] };

/** Publishes a tip and a post for members in the owner's portfolio. */
export async function publishForMembers({ people, portfolio }: AccessWorld, now: Date): Promise<ForMembers> {
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  const { viewer } = people.owner;
  const { reference: tip } = await publishTip(
    viewer,
    portfolio.reference,
    { idempotencyKey: 'a', legs, stakeHundredths: 100, free: false, analysis: lockedText },
    now,
  );
  const { reference: post } = await publishPost(
    viewer,
    portfolio.reference,
    { idempotencyKey: 'a', title: 'The week', body: lockedText, premiumOnly: true, tips: [tip] },
    now,
  );
  return { tip, post, legs };
}
