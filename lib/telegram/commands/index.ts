import 'server-only';
export { inviteToTelegram, unlinkTelegram } from './link';
export { askTelegram, tellInTelegram } from './bot';
