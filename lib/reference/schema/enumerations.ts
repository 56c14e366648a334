import { z } from 'zod';

/** Spec §3: the ways to show odds. */
export const OddsDisplay = { decimal: 'decimal', fraction: 'fraction', moneyline: 'moneyline' } as const;

/** Spec §3: accepts a way to show odds; `oddsDisplayFrom` in rules/display.ts also reads the names that settings use. */
export const oddsDisplaySchema = z.enum(OddsDisplay);

/** Spec §3: a way to show odds. */
export type OddsDisplay = z.infer<typeof oddsDisplaySchema>;

/** Spec §9: how odds are shown until the viewer chooses. */
export const defaultOddsDisplay: OddsDisplay = OddsDisplay.decimal;

/** Spec §3: the time ranges of statistics, numbered so that the default period 3 of the comparison filter is three months. */
export const TimeRange = { day: 0, week: 1, month: 2, threeMonth: 3, sixMonth: 4, year: 5, allTime: 6 } as const;

/** Spec §3: accepts a time range. */
export const timeRangeSchema = z.enum(TimeRange);

/** Spec §3: a time range of statistics. */
export type TimeRange = z.infer<typeof timeRangeSchema>;

/** The name of each time range in the interface. */
export const timeRangeNames: Readonly<Record<TimeRange, string>> = {
  0: 'Today',
  1: 'Past 7 days',
  2: 'Past month',
  3: 'Past 3 months',
  4: 'Past 6 months',
  5: 'Past 12 months',
  6: 'All time',
};

/** Spec §3: the roles of users. */
export const Role = { user: 0, superAdmin: 1, admin: 2 } as const;

/** Spec §3: accepts a role. */
export const roleSchema = z.enum(Role);

/** Spec §3: the role of a user. */
export type Role = z.infer<typeof roleSchema>;

/** Spec §3: open or closed. */
export const OpenStatus = { open: 0, closed: 1 } as const;

/** Spec §3: accepts an open or closed status. */
export const openStatusSchema = z.enum(OpenStatus);

/** Spec §3: open or closed. */
export type OpenStatus = z.infer<typeof openStatusSchema>;

/** Spec §3: what came of a login. */
export const LoginOutcome = {
  error: 'error',
  success: 'success',
  incorrectUser: 'incorrect-user',
  incorrectPassword: 'incorrect-password',
  locked: 'locked',
} as const;

/** Spec §3: accepts the outcome of a login. */
export const loginOutcomeSchema = z.enum(LoginOutcome);

/** Spec §3: the outcome of a login. */
export type LoginOutcome = z.infer<typeof loginOutcomeSchema>;

/** Spec §3: how far a fixture's result has come. */
export const FixtureStatus = {
  awaitingResult: 'awaiting-result',
  pending: 'pending',
  processing: 'processing',
  complete: 'complete',
  retry: 'retry',
} as const;

/** Spec §3: accepts the status of a fixture's result. */
export const fixtureStatusSchema = z.enum(FixtureStatus);

/** Spec §3: the status of a fixture's result. */
export type FixtureStatus = z.infer<typeof fixtureStatusSchema>;

/** Spec §3: who may find a portfolio, numbered so that the comparison filter's default portfolioType 2 is premium. */
export const PortfolioVisibility = { personal: 0, public: 1, premium: 2, hidden: 3 } as const;

/** Spec §3: accepts the visibility of a portfolio. */
export const portfolioVisibilitySchema = z.enum(PortfolioVisibility);

/** Spec §3: the visibility of a portfolio. */
export type PortfolioVisibility = z.infer<typeof portfolioVisibilitySchema>;

/** Spec §3: the orders of a race's runners. */
export const HorseRacingSort = { odds: 'odds', runner: 'runner' } as const;

/** Spec §3: accepts an order of a race's runners. */
export const horseRacingSortSchema = z.enum(HorseRacingSort);

/** Spec §3: the order of a race's runners. */
export type HorseRacingSort = z.infer<typeof horseRacingSortSchema>;

/** Spec §3: the custom dimensions that every analytics event carries. */
export const AnalyticsDimension = {
  userId: 'user_id',
  organisationId: 'organisation_id',
  activePortfolio: 'active_portfolio',
  timestamp: 'timestamp',
  referrer: 'referrer',
  breakpoint: 'breakpoint',
  version: 'version',
  pageUrl: 'page_url',
} as const;

/** Spec §3: accepts the name of an analytics dimension. */
export const analyticsDimensionSchema = z.enum(AnalyticsDimension);

/** Spec §3: the name of an analytics dimension. */
export type AnalyticsDimension = z.infer<typeof analyticsDimensionSchema>;

/** Spec §3: a width of the viewport from which a layout holds, in rem of 16 pixels. */
export interface Breakpoint {
  readonly name: '2xs' | 'xs' | 'sm' | 'md' | 'lg' | 'xl' | '2xl' | '3xl' | '4xl' | '5xl';
  readonly minWidthRem: number;
  readonly mobile: boolean;
}

/** Spec §3: the breakpoints, narrowest first; mobile is below xl. Ours: the widths between 23 and 120 rem. */
export const breakpoints = [
  { name: '2xs', minWidthRem: 23, mobile: true },
  { name: 'xs', minWidthRem: 30, mobile: true },
  { name: 'sm', minWidthRem: 40, mobile: true },
  { name: 'md', minWidthRem: 48, mobile: true },
  { name: 'lg', minWidthRem: 64, mobile: true },
  { name: 'xl', minWidthRem: 80, mobile: false },
  { name: '2xl', minWidthRem: 96, mobile: false },
  { name: '3xl', minWidthRem: 104, mobile: false },
  { name: '4xl', minWidthRem: 112, mobile: false },
  { name: '5xl', minWidthRem: 120, mobile: false },
] as const satisfies readonly Breakpoint[];
