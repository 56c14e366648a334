import type { OutgoingHttpHeaders } from 'node:http';
import { sessionCookieName } from '@/lib/accounts/schema';
import { routes } from '@/lib/routes';
import type { CanaryWorld, Owner, Person } from './canary-world';
import type { Login } from './login';

/** A request and the numbers of those whose marks its answer must hold, and no others. */
export type Asked = { who: string; path: string; headers: OutgoingHttpHeaders; marks: readonly number[] };

const publicPages = [
  '/',
  '/football',
  '/football?days=14',
  '/tennis',
  '/tipster',
  '/tipster?sportId=0&portfolioType=0&period=6&tips=1',
  '/fixture',
  '/ledger',
  '/search?q=singer',
  '/articles',
  '/no-such-page',
];

const callOf = ({ portfolio }: Owner, rest: string) => `/api/portfolio/${portfolio}/${rest}`;
const pagesOf = ({ portfolio, membersTip, hiddenTip, post }: Owner) => [
  routes.portfolio(portfolio),
  ...(['tips', 'posts', 'results', 'stats'] as const).map((page) => routes.portfolioPage(portfolio, page)),
  routes.tip(portfolio, membersTip),
  routes.tip(portfolio, hiddenTip),
  routes.post(portfolio, post),
];

/** What holds the texts of an owner's own, and of nobody else: for themselves, and for those who bought the membership. */
const privateCalls = (owner: Owner) => [
  callOf(owner, `tips/${owner.membersTip}`),
  callOf(owner, `posts/${owner.post}`),
];
const everyCall = (owner: Owner) => [
  ...privateCalls(owner),
  callOf(owner, `tips/${owner.hiddenTip}`),
  callOf(owner, 'tips'),
  callOf(owner, 'tips/recent'),
  callOf(owner, 'posts'),
  `/api/portfolio/${owner.portfolio}`,
  '/api/free-tips',
];

const at = <T>(list: readonly T[], place: number): T => {
  const item = list[place % list.length];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
};

/** Who asks for what, in turn: guests of many kinds for pages and calls, members and owners by cookie for pages of all and their own, and by bearer for what they may read and what they may not. */
export function askIn(turn: number, { owners, members }: CanaryWorld, logins: ReadonlyMap<number, Login>): Asked {
  const round = Math.floor(turn / 40);
  const owner = at(owners, round);
  const other = at(owners, round + 1 + (round % (owners.length - 1)));
  const member = at(members, round);
  const page = at([...publicPages, ...pagesOf(other), ...pagesOf(owner)], round);
  const bearerOf = ({ number }: Person) => ({ authorization: logins.get(number)?.bearer ?? '' });
  const cookieOf = ({ number }: Person) => ({ cookie: logins.get(number)?.cookie ?? '' });
  const guest = (path: string, headers: OutgoingHttpHeaders = {}): Asked => ({
    who: 'a guest',
    path,
    headers,
    marks: [],
  });
  const stranger = at(
    owners.filter(({ number }) => number !== member.bought.number),
    round,
  );
  const kinds: readonly (() => Asked)[] = [
    () => guest(page),
    () => guest(page, { 'accept-encoding': 'br' }),
    () => guest(at(publicPages, round), { cookie: 'tipledger_consent=all; theme=dark', 'accept-encoding': 'gzip' }),
    () => guest(page, { 'if-none-match': '*' }),
    () => guest(at(everyCall(owner), round)),
    () => guest(at(pagesOf(owner), round), { 'accept-encoding': 'br' }),
    () => guest(page, { rsc: '1' }),
    () => guest(page, { cookie: `${sessionCookieName}=${'a'.repeat(43)}` }),
    () => guest(routes.dashboard('settings')),
    () => guest('/api/user', {}),
    () => guest(at(pagesOf(member.bought), round)),
    () => guest(at(everyCall(member.bought), round), { cookie: 'theme=dark' }),
    () => ({
      who: 'an owner by bearer, of their own',
      path: at([...privateCalls(owner), callOf(owner, `tips/${owner.hiddenTip}`), '/api/user'], round),
      headers: bearerOf(owner),
      marks: [owner.number],
    }),
    () => ({
      who: 'an owner by bearer, of another’s',
      path: at(everyCall(other), round),
      headers: bearerOf(owner),
      marks: [],
    }),
    () => ({
      who: 'a member by bearer, of what they bought',
      path: at(privateCalls(member.bought), round),
      headers: bearerOf(member),
      marks: [member.bought.number],
    }),
    () => ({
      who: 'a member by bearer, of what they did not buy',
      path: at(everyCall(stranger), round),
      headers: { ...bearerOf(member), ...cookieOf(stranger) },
      marks: [],
    }),
    () => ({
      who: 'a member by bearer and another’s cookie',
      path: '/api/user',
      headers: { ...bearerOf(member), ...cookieOf(owner) },
      marks: [member.number],
    }),
    () => ({
      who: 'a member by cookie, on their own pages',
      path: at([routes.dashboard(), routes.dashboard('settings')], round),
      headers: { ...cookieOf(member), 'accept-encoding': 'br', ...(round % 4 === 1 && { rsc: '1' }) },
      marks: [member.number],
    }),
    () => ({
      who: 'an owner by cookie, on their settings',
      path: routes.dashboard('settings'),
      headers: cookieOf(owner),
      marks: [owner.number],
    }),
    () => ({
      who: 'a member by cookie, on a page of all',
      path: page,
      headers: { ...cookieOf(member), ...(round % 3 === 0 && { 'save-data': 'on', 'if-none-match': '*' }) },
      marks: [],
    }),
  ];
  // Every other one is what costs little, as guests are most of a site's visitors.
  const cheap = [...kinds.slice(0, 3), ...kinds.slice(12, 16)];
  return at(turn % 2 === 0 ? cheap : kinds, Math.floor(turn / 2))();
}
