import { sql } from 'kysely';
import type { IssuedSession } from '@/lib/accounts/schema';
import type { Method } from '@/lib/calls';
import type { OrderView } from '@/lib/memberships/schema';
import { database } from '@/lib/platform/database';
import type { PushSettings } from '@/lib/push/schema';
import { CurrencyId, PortfolioVisibility } from '@/lib/reference/schema';
import type { AccountGiven } from './accounts';
import type { PushService } from './push-service';
import type { Sent } from './request';
import { pageOf } from './sales';
import { worldNow } from './world';

/** Somebody with a portfolio, a post in it and a bet, whose calls come from an address of their own, and what else was made for a group of writes. */
export type Writer = {
  accountId: number;
  login: IssuedSession;
  address: string;
  portfolio: string;
  post: string;
  bet: string;
  own: Record<string, string>;
};

/** A call: its method and path, and what a writer sends by it. */
export type Write = { method: Method; path: string; sent: (writer: Writer) => Sent };

/** Writes that meet in the same rows: who makes them, what is made before them, and those of them that are always refused. */
export type WriteGroup = {
  account?: AccountGiven;
  before?: (writer: Writer, done: (call: Write) => Promise<unknown>) => Promise<void>;
  writes: Record<string, Write>;
  refused?: readonly string[];
};

/** What the writers find: two portfolios that sell months at 20.00 and take part in Pro, a tipster whom anybody follows, a fixture, and who is told of news. */
export type Surroundings = {
  sold: readonly [string, string];
  tipster: string;
  fixture: string;
  push: PushService;
  webhook: string;
};

const order = (portfolio: () => string): Write => ({
  method: 'POST',
  path: '/user/orders',
  sent: () => ({ body: { portfolio: portfolio(), period: 'month', amountMinor: 2_000 } }),
});

const payment: Write = {
  method: 'POST',
  path: '/sandbox/payments/{payment}',
  sent: ({ own }) => ({ params: { payment: own.payment ?? '' }, body: { outcome: 'success' } }),
};

const ofMembership = (path: string): Write => ({
  method: 'POST',
  path: `/user/memberships/{membership}/${path}`,
  sent: ({ own }) => ({ params: { membership: own.membership ?? '' } }),
});

/** A call about the writer's own portfolio that may sell. */
const ofShop = (method: Method, path: string, body?: unknown): Write => ({
  method,
  path: `/user/portfolio/{reference}${path}`,
  sent: ({ own }) => ({ params: { reference: own.shop ?? '' }, ...(body === undefined ? {} : { body }) }),
});

const about = (method: Method, path: string, reference: () => string, body?: unknown): Write => ({
  method,
  path,
  sent: () => ({ params: { reference: reference() }, ...(body === undefined ? {} : { body }) }),
});

const alone = (method: Method, path: string, body?: unknown): Write => ({
  method,
  path,
  sent: () => (body === undefined ? {} : { body }),
});

const openShop: WriteGroup['before'] = async (writer, done) => {
  const { reference } = (await done({
    method: 'POST',
    path: '/user/portfolio',
    sent: ({ accountId }) => ({ body: { name: `Shop of ${accountId}`, visibility: PortfolioVisibility.premium } }),
  })) as { reference: string };
  writer.own.shop = reference;
};

/** Writes of a member that are raced in groups against a few others; `around` is asked when they are sent. */
export function writeGroups(around: () => Surroundings): Record<string, WriteGroup> {
  const openOrder: NonNullable<WriteGroup['before']> = async (writer, done) => {
    const opened = (await done(order(() => around().sold[0]))) as OrderView;
    Object.assign(writer.own, { order: opened.reference, payment: pageOf(opened) });
  };
  const pushed: Write = {
    method: 'POST',
    path: '/user/push',
    sent: ({ own }) => ({ body: around().push.subscribe(own.publicKey ?? '') }),
  };
  const { GBP } = CurrencyId;
  return {
    orders: {
      before: openOrder,
      writes: {
        order: order(() => around().sold[1]),
        'order given up': {
          method: 'POST',
          path: '/user/orders/{order}/cancel',
          sent: ({ own }) => ({ params: { order: own.order ?? '' } }),
        },
        payment,
      },
      // Of an order that was given up.
      refused: ['payment'],
    },
    memberships: {
      before: async (writer, done) => {
        await openOrder(writer, done);
        await done(payment);
        const read: Write = {
          method: 'GET',
          path: '/user/orders/{order}',
          sent: ({ own }) => ({ params: { order: own.order ?? '' } }),
        };
        writer.own.membership = ((await done(read)) as OrderView).membership ?? '';
      },
      writes: {
        cancelled: ofMembership('cancel'),
        kept: ofMembership('keep'),
        'another card': ofMembership('card'),
        refunded: ofMembership('refund'),
      },
    },
    selling: {
      before: openShop,
      writes: {
        plans: ofShop('PUT', '/plans', {
          mainCurrencyId: GBP,
          plans: [{ period: 'month', onSale: true, prices: [{ currencyId: GBP, amountMinor: 1_500 }] }],
        }),
        coupon: {
          method: 'POST',
          path: '/user/portfolio/{reference}/coupons',
          sent: ({ own, accountId }) => ({
            params: { reference: own.shop ?? '' },
            body: { code: `CODE${accountId}`, percent: 10 },
          }),
        },
        'coupon ended': {
          method: 'DELETE',
          path: '/user/portfolio/{reference}/coupons/{code}',
          sent: ({ own, accountId }) => ({ params: { reference: own.shop ?? '', code: `CODE${accountId}` } }),
        },
        'part in Pro': ofShop('PUT', '/pro', { tipledgerPro: true }),
        payout: ofShop('POST', '/payout', { currencyId: GBP }),
      },
      // Nothing is payable.
      refused: ['payout'],
    },
    webhook: {
      before: openShop,
      writes: {
        webhook: {
          ...ofShop('PUT', '/webhook'),
          sent: ({ own }) => ({ params: { reference: own.shop ?? '' }, body: { address: around().webhook } }),
        },
        'webhook’s secret': ofShop('POST', '/webhook/secret'),
        'webhook tried': ofShop('POST', '/webhook/test'),
        'webhook removed': ofShop('DELETE', '/webhook'),
      },
    },
    news: {
      writes: {
        'news read': alone('POST', '/user/notifications/read', { ids: [1] }),
        'news tried': alone('POST', '/user/notifications/sample', { channel: 'app' }),
        'news chosen': alone('PUT', '/user/notifications/settings', { silenced: true }),
        'news of a portfolio chosen': about('PUT', '/user/notifications/settings/{reference}', () => around().tipster, {
          silenced: true,
        }),
        watched: about('PUT', '/user/fixture/{reference}/watch', () => around().fixture),
        'watched no more': about('DELETE', '/user/fixture/{reference}/watch', () => around().fixture),
      },
    },
    'ways to be told': {
      before: async (writer, done) => {
        const { publicKey } = (await done(alone('GET', '/user/push'))) as PushSettings;
        writer.own.publicKey = publicKey;
        writer.own.browser = String(((await done(pushed)) as PushSettings).devices[0]?.id);
        await sql`insert into telegram_link (account_id, chat_id, name, linked_at) values (${writer.accountId}, ${writer.accountId}, 'Ann', ${worldNow})`.execute(
          database(),
        );
      },
      writes: {
        browser: pushed,
        'browser removed': {
          method: 'DELETE',
          path: '/user/push/{id}',
          sent: ({ own }) => ({ params: { id: own.browser ?? '' } }),
        },
        telegram: alone('POST', '/user/telegram'),
        'telegram unlinked': alone('DELETE', '/user/telegram'),
      },
    },
    'being paid': {
      writes: {
        payee: alone('POST', '/user/payee', {}),
        'paid monthly': alone('PUT', '/user/payouts', { monthly: true }),
        affiliate: alone('POST', '/user/affiliate'),
        'affiliate’s payout': alone('POST', '/user/affiliate/payout', { currencyId: GBP }),
      },
      // The sandbox needs nothing of a payee, and nothing is payable.
      refused: ['payee', 'affiliate’s payout'],
    },
    'Pro’s team': {
      account: { pro: true },
      writes: {
        team: {
          method: 'PUT',
          path: '/user/pro/team',
          sent: () => ({ body: { portfolios: [around().sold[0]] } }),
        },
        switched: {
          method: 'POST',
          path: '/user/pro/switch',
          sent: () => ({ body: { out: around().sold[0], in: around().sold[1] } }),
        },
      },
    },
    autobets: {
      writes: {
        autobets: about('PUT', '/user/autobets/{reference}', () => around().tipster, {
          enabled: true,
          unitMinor: 500,
          mostMinor: 5_000,
          currencyId: GBP,
        }),
        'autobets no more': about('DELETE', '/user/autobets/{reference}', () => around().tipster),
      },
    },
    'a break': { writes: { break: alone('POST', '/user/pause', { length: 'week' }) } },
  };
}
