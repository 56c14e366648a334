import 'server-only';
export { readSettlingBets, readSettlingTips, type SettlingBet } from './legs';
export { countSetAside, listBetsSetAside } from './set-aside';
export { getTipForStaff, staffTips } from './staff';
