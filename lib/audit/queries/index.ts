import 'server-only';
export { hasFindings, isWholeRecordAudited, listFindings } from './findings';
export { auditGuards } from './guards';
