import 'server-only';
export { countSettled, foldInTurn, foldOldDays, foldSettledTips } from './days';
export { computeDueLuck } from './luck';
export { drawDueSketches } from './sketches';
export { computeDueStandings, deferStandings, reckonStandings, rollStandings } from './standings';
