import 'server-only';
import { sql } from 'kysely';
import { now } from '@/lib/platform/clock';
import { notePushed, pushTo, readPushDevices } from '@/lib/push/commands';
import type { Message } from '../schema/messages';
import type { Channel, Outward } from './channels';

/** Ours (0076): what belongs together has one tag, so that a correction takes the place of what it corrects: all about a tip, a post, a fixture. */
export function tagOf({ id, portfolio, tip, post, fixture }: Message): string {
  if (portfolio && tip) return `tip ${portfolio.reference}/${tip.reference}`;
  if (portfolio && post) return `post ${portfolio.reference}/${post.reference}`;
  return fixture ? `fixture ${fixture.reference}` : id;
}

// A tip is no news once it has started.
const secondsOf = ({ kind, tip }: Message) =>
  kind === 'tip' && tip ? Math.floor((Date.parse(tip.firstStartsAt) - now().getTime()) / 1000) : undefined;

/** Product §12: messages that a browser shows although no page of the site is open. */
export const pushChannel: Channel & Outward = {
  channel: 'push',
  reach: sql<boolean>`exists (select from push_subscription where push_subscription.account_id = account.id)`,
  isOurs: false,
  open: async (accountIds) => {
    const devices = await readPushDevices(accountIds);
    const taken: number[] = [];
    return {
      deliver: async (message, { accountId }) => {
        const { title, body, link, slipLink, at } = message;
        const payload = { tag: tagOf(message), title, body, link, slipLink, at };
        const pushed = await pushTo(devices.get(accountId) ?? [], payload, secondsOf(message));
        taken.push(...pushed.taken);
        return pushed.outcome;
      },
      note: (at) => notePushed(taken.splice(0), at),
    };
  },
};
