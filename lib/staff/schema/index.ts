export {
  type StaffAction,
  staffActions,
  type StaffFacts,
  type StaffOrder,
  seenMarkSchema,
  staffOrderSchema,
  type StaffOutcome,
  staffOutcomeSchema,
  staffReasonSchema,
  type StaffSubject,
} from './actions';
export {
  factorCodeSchema,
  type FactorKey,
  factorKeySchema,
  type QrPicture,
  factorLimits,
  recoveryCodesSchema,
} from './factor';
export {
  type AnyStaffList,
  type StaffCell,
  type StaffColumn,
  type StaffList,
  staffListLimits,
  staffListQuery,
  type StaffListQuery,
  type StaffRows,
} from './lists';
export { optionalUtcMomentSchema, utcMomentSchema } from './moments';
export { staffDetailPaths, staffEntryPath, type StaffPage, staffPages } from './pages';
