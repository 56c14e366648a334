/** Who is known by their session cookie. */
export const known = ['unverified', 'member', 'pro', 'owner', 'other owner', 'admin', 'super admin'] as const;

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

/** The password of all of them. */
export const accessPassword = 'three plain otters';

export type Known = (typeof known)[number];
export type Visitor = Known | (typeof strangers)[number];

/** What a visitor's requests carry: the value of the session cookie, and a bearer, which pages do not read. */
export type Credentials = { cookie: string | null; bearer: string | null };

/** Everybody's credentials, the references of the owner's portfolio and of a post in it, and the mark at the end of every name. */
export type AccessPeople = {
  mark: string;
  reference: string;
  post: string;
  credentials: Readonly<Record<string, Credentials>>;
};
