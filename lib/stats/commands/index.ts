import 'server-only';
export { areDaysOld, countSettled, foldInTurn, foldOldDays, foldSettledTips } from './days';
export { computeDueLuck, isLuckDue } from './luck';
export { drawDueSketches } from './sketches';
export { computeDueStandings, deferStandings, computeStandings, rollStandings } from './standings';
