/** What a site that is watched live was begun with. */
export type LiveSite = { underWay: string; coming: string; accountId: number; portfolio: string; portfolioId: number };

/** The sides of the match under way and of the one to come. */
export const liveSides = {
  underWay: { home: 'Harrowdale', away: 'Millbank' },
  coming: { home: 'Oxenford', away: 'Penhallow' },
} as const;

/** The reason of a tip for members, which no guest is ever sent. */
export const secretReason = 'CANARY-for-members-only';
