/**
 * Who has an account and a login that holds. What is said of a membership is of one of the owner's portfolio: past due is within the three days
 * that it stays open, overdue after them, cancelled within what was paid; a member elsewhere is one of the other owner's.
 */
export const known = [
  'unverified',
  'member',
  'trial',
  'active',
  'past due',
  'overdue',
  'cancelled',
  'ended',
  'member elsewhere',
  'pro in team',
  'pro out of team',
  'pro ended',
  'owner',
  'other owner',
  'admin',
  'super admin',
  'unproven staff',
  'suspended staff',
] as const;

/** Who comes with something that is good for nothing, and is a guest. */
export const strangers = [
  'guest',
  'deleted',
  'signed out',
  'stale token',
  'wrong-audience token',
  'alg: none',
  'bearer alone',
  'refresh token',
] as const;

/** What the owner's post for members says. */
export const lockedText = 'Only those who paid may read this: amaranth.';

/** What somebody of this kind is called where `mark` keeps them apart from those of other worlds. */
export const nameOfKind = (kind: string, mark = ''): string =>
  [kind.replaceAll(' ', '-'), mark].filter(Boolean).join('-');

/** The password of all of them. */
export const accessPassword = 'three plain otters';

export type Known = (typeof known)[number];
export type Visitor = Known | (typeof strangers)[number];

/** What a visitor's requests carry: the value of the session cookie, and a bearer, which pages do not read. */
export type Credentials = { cookie: string | null; bearer: string | null };

/** Everybody's credentials, the references of the owner's portfolio and of a post for its members, what the active member bought, and the mark at the end of every name. */
export type AccessPeople = {
  mark: string;
  reference: string;
  post: string;
  order: string;
  receipt: string;
  credentials: Readonly<Record<string, Credentials>>;
};
