import 'server-only';
export { inviteToTelegram, unlinkTelegram } from './link';
export { askTelegram, readChats, tellInTelegram } from './bot';
