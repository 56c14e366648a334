import type { DateStyle } from '@/lib/format';

/** How a marked time is written: as a date style, or as the time of day under a heading that names the day in the page's zone. */
export type MomentStyle = DateStyle | 'time-of-day';

/** Marks an element whose only text is odds that were never quoted as a fraction, so that a member's odds format can be laid over it. */
export const oddsMark = (oddsThousandths: number) => ({ 'data-odds': oddsThousandths });

/** The attribute by which an entry of a list names the bookmaker that it is of. */
export const bookmakerMark = 'data-bookmaker-id';

/** The attribute that names the fixture and the selection of a best price. */
export const bestMark = 'data-best';

/** The attribute that names the tip of which an element says the price now. */
export const tipNowMark = 'data-tip-now';

/** The attribute that names the tip and the place of the leg whose best price an element holds and nothing else. */
export const tipLegMark = 'data-tip-leg-now';

/** Marks an element that holds the best price of a fixture's selection and nothing else, so that a member's own can be put there. */
export const bestOddsMark = (fixtureId: number, key: string) => ({ [bestMark]: `${fixtureId}:${key}` });

/** Marks an element whose only text is an instant, so that it can be told in a member's time zone. */
export const momentMark = (at: string, style: MomentStyle) => ({ 'data-at': at, 'data-date': style });
