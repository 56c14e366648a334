import 'server-only';
export { findCountryAt } from './country';
export { exportUser } from './export';
export { listFollowing, listWatchlist } from './following';
export {
  findMemberByCookie,
  findMemberById,
  findMemberBySession,
  getUser,
  type KnownMember,
  listKnownMembers,
  readersByPro,
} from './members';
export { listSessions } from './sessions';
export { findSuspension, getUserForStaff, listStaffPeople, staffUsers } from './staff';
