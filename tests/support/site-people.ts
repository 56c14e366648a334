/** Who can sign in to the site that is visited, by what they are; everybody has the one password. */
export const people = {
  member: { username: 'mia', role: 0 },
  owner: { username: 'ann', role: 0 },
  otherOwner: { username: 'bob', role: 0 },
  admin: { username: 'sara', role: 2 },
  superAdmin: { username: 'rex', role: 1 },
} as const;

/** One of them. */
export type Person = keyof typeof people;

/** The password of everybody on the site. */
export const sitePassword = 'nine quiet lighthouses';

/** The address of somebody on the site. */
export const emailOf = (person: Person): string => `${people[person].username}@example.org`;
