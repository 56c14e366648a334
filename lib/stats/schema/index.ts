export {
  breakdownParamsSchema,
  portfolioAnswerSchema,
  portfolioListSchema,
  portfolioParamsSchema,
  portfolioQuerySchema,
  recommendedQuerySchema,
} from './calls';
export { type ComparedPortfolio, comparisonPageSchema } from './compared';
export {
  ComparedPortfolios,
  type ComparisonFilter,
  comparisonFilterSchema,
  ComparisonOrder,
  comparisonOrderNames,
  defaultComparisonFilter,
  Direction,
  everySport,
  FilterType,
  openComparisonFilter,
} from './comparison';
export {
  type BreakdownKind,
  breakdownKinds,
  type Exact,
  exactSchema,
  followerMinutes,
  type FollowerMoment,
  followerMoments,
  minTipsToJudge,
  recordTimeZone,
  type SettledTip,
  type StakePlan,
} from './rollups';
export { mostCompared, type SideBySide, type SideBySidePortfolio } from './side-by-side';
export { shownResults, type Speciality } from './sketches';
export {
  type BreakdownView,
  breakdownViewSchema,
  type CurvePoint,
  curvePointSchema,
  type MonthOverview,
  monthOverviewSchema,
  recentFormSchema,
  type StatisticsView,
  statisticsViewSchema,
} from './views';
