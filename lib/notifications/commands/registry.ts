import 'server-only';
import { env } from '@/lib/platform/env';
import type { Channel } from './channels';
import { mailChannel } from './mail';
import { pushChannel } from './push';
import { telegramChannel } from './telegram';

const channels: readonly Channel[] = [mailChannel, pushChannel, telegramChannel];

/** Every way to people outside this site that this site has: Telegram only with a bot. The list in the app is the site's own. */
export const offeredChannels = (): readonly Channel[] =>
  channels.filter(({ channel }) => channel !== 'telegram' || env().TIPLEDGER_TELEGRAM_TOKEN !== undefined);
