/** Settlement §1: the outcomes of a leg and of a tip, from the worst to the best; 'placed' is each-way and not first, 'void' stands apart. */
export const settlementOutcomes = ['lost', 'half-lost', 'placed', 'half-won', 'won', 'void'] as const;

/** The outcome of a leg or a tip. */
export type SettlementOutcome = (typeof settlementOutcomes)[number];
