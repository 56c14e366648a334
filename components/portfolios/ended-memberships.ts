/** Product §8: what becomes of the members of a portfolio that is abandoned or hidden. */
export const endedMemberships = (members: number): string =>
  `${members === 1 ? 'One member has' : `${members} members have`} a membership here. Memberships end at once, and unused days are refunded.`;
