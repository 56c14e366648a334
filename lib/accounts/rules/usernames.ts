import { bundledBookmakers, furtherBookmakers, sourceBookmakers } from '@/lib/reference/schema';
import { routeTable } from '@/lib/route-table';
import { emailSchema, usernameSchema } from '../schema/authentication';

// Who reads a name takes these for one another; both sides of a comparison are made alike.
const alike: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1l]/g, 'i'],
  [/0/g, 'o'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
  [/[69]/g, 'g'],
];

const skeletonOf = (name: string) =>
  alike.reduce((text, [sign, like]) => text.replace(sign, like), name.toLowerCase().replace(/[^a-z0-9]/g, ''));
const withoutNumbers = (name: string) => name.replace(/^\d+|\d+$/g, '');

/** The forms in which a name could be meant: with its figures for letters, and without those around it. */
const formsOf = (name: string): string[] => [skeletonOf(name), skeletonOf(withoutNumbers(name.replace(/-/g, '')))];

const staffWords = [
  'admin',
  'administrator',
  'superadmin',
  'sysadmin',
  'moderator',
  'staff',
  'webmaster',
  'postmaster',
];
const siteWords = [
  'support',
  'official',
  'system',
  'root',
  'security',
  'helpdesk',
  'help',
  'mod',
  'team',
  'billing',
  'owner',
  'ledger',
  'api',
  'www',
  'null',
  'undefined',
  'anonymous',
  'guest',
];
const skeletons = (words: Iterable<string>) => new Set([...words].map(skeletonOf));

const staff = skeletons(staffWords);
const site = skeletons([
  ...siteWords,
  ...routeTable.flatMap(({ path }) => /^\/([a-z-]+)(?=\/|$)/.exec(path)?.[1] ?? []),
]);
const firms = skeletons(
  [...bundledBookmakers, ...furtherBookmakers, ...sourceBookmakers].flatMap(({ reference, name }) => [reference, name]),
);
// What begins with one of these speaks for the site.
const leading = skeletons(['support', 'official', 'system', 'root', 'security', 'helpdesk', 'moderation']);
const house = skeletonOf('tipledger');
const given = /^(former-tipster|member|follower)(-|$)/;
// Nobody takes "the admins" or "admin team" for somebody else.
const before = ['the', 'real', 'site', 'mr', 'your', 'our', 'my'];
const behind = ['s', 'team', 'desk', 'account', 'official', 'support', 'help', 'staff'];
const around = new RegExp(`^(${before.map(skeletonOf).join('|')})?(.+?)(${behind.map(skeletonOf).join('|')})?$`);

/** Ours (0050): true for a name that no member may take: those of the site, its staff, its pages and bookmakers, whatever looks like one of them, and those that it gives. */
export function isReservedName(username: string): boolean {
  const tokens = username.split('-').flatMap(formsOf);
  const [first = '', second = ''] = tokens;
  const whole = formsOf(username);
  const cores = whole.flatMap((form) => [form, around.exec(form)?.[2] ?? form]);
  return (
    given.test(username) ||
    whole.some((form) => form.includes(house)) ||
    tokens.some((token) => staff.has(token)) ||
    whole.some((form) => site.has(form)) ||
    cores.some((core) => staff.has(core) || firms.has(core)) ||
    leading.has(first) ||
    leading.has(second)
  );
}

/** Product §3: true for a login name that an account could have, which is a username or an e-mail address. */
export function isPossibleName(name: string): boolean {
  return usernameSchema.safeParse(name).success || emailSchema.safeParse(name).success;
}

/** What stands in the place of the name of a deleted account; product §3: the record stays under "former tipster". */
export function formerName(accountId: number): string {
  return `former-tipster-${accountId}`;
}
