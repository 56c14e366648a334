import 'server-only';
export { findCountryAt } from './country';
export { exportUser } from './export';
export { getMailChoice, listFollowing, listWatchlist } from './following';
export { findMemberByCookie, findMemberById, findMemberBySession, getUser, type KnownMember } from './members';
export { listSessions } from './sessions';
