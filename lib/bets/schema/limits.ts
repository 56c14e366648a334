/** Product §5: the most legs that a slip holds, as many as a tip has. */
export const maxSlipLegs = 12;

/** Ours (0099): the most bets that a member puts into their own record in 24 hours, and in all. */
export const betsKept = { aDay: 500, inAll: 20_000 } as const;
