import { closeMarkets, unwatchFixture, watchFixture } from '@/lib/fixtures/commands';
import { recordResult, restateResult } from '@/lib/fixtures/commands/results';
import { followPortfolio } from '@/lib/accounts/commands';
import { member } from '@/lib/http/viewer';
import { offeredChannels, sendDueNews, spreadNews } from '@/lib/notifications/commands';
import { type Channel, reachedByMail } from '@/lib/notifications/commands/channels';
import { getNewsSettings, listNotifications } from '@/lib/notifications/queries';
import type { Message } from '@/lib/notifications/schema/messages';
import type * as Cache from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { sql } from 'kysely';
import { after, athletic, playAthletic, start } from '../support/bets';
import { onTestDatabase, undone } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { publishTip } from '../support/moments';
import { worldNow } from '../support/world';

let refuses: (tags: readonly string[]) => boolean = () => false;
jest.mock('@/lib/platform/cache', () => {
  const actual = jest.requireActual<typeof Cache>('@/lib/platform/cache');
  const forget: typeof actual.forget = async (tags) => {
    if (refuses(tags)) throw new Error('It waited too long for its row.');
    return actual.forget(tags);
  };
  return { ...actual, forget };
});

onTestDatabase();

const seconds = (count: number, from = worldNow) => new Date(from.getTime() + count * 1000);

test(
  'whoever watches a fixture is told of its start and of its result, once each, and nobody else is',
  undone(async () => {
    const [bob, cat, dan] = [await join('bob', worldNow), await join('cat', worldNow), await join('dan', worldNow)];
    for (const each of [bob, bob, cat]) await watchFixture(each, athletic, worldNow);
    await unwatchFixture(cat, athletic);
    const listed = async (viewer: typeof bob, at: Date) =>
      (await listNotifications(viewer, at)).items.map(({ title }) => title);
    const look = async (at: Date) => {
      await spreadNews(offeredChannels(), at);
      return Promise.all([bob, cat, dan].map((each) => listed(each, at)));
    };

    expect(await look(worldNow)).toEqual([[], [], []]);
    for (let count = 0; count < 2; count += 1) await closeMarkets(seconds(count, start));
    expect(await look(seconds(10, start))).toEqual([['Athletic v Wanderers has started'], [], []]);
    // Asked for once it has begun, the result is told.
    await watchFixture(dan, athletic, after(1));
    for (let count = 0; count < 2; count += 1) await playAthletic([2, 1], after(2));
    expect(await look(after(2))).toEqual([
      ['Athletic v Wanderers: 2–1', 'Athletic v Wanderers has started'],
      [],
      ['Athletic v Wanderers: 2–1'],
    ]);
    await expect(watchFixture(cat, athletic, after(3))).rejects.toMatchObject({ kind: 'conflict' });
  }),
);

const watched = async (at: Date) => {
  const bob = await join('bob', worldNow);
  await watchFixture(bob, athletic, worldNow);
  return async (now = at) => {
    await spreadNews(offeredChannels(), now);
    return (await listNotifications(bob, now)).items.map(({ title }) => title);
  };
};
const athleticId = async () => {
  const { rows } = await sql<{ id: number }>`select id from fixture where reference = ${athletic}`.execute(database());
  return rows[0]?.id ?? 0;
};
const tell = async (result: Parameters<typeof recordResult>[1], source: string) =>
  recordResult(await athleticId(), result, source, after(2));

test(
  'a result is told again when it is another one, not when more of it is known or others say it',
  undone(async () => {
    const listed = await watched(after(3));
    await tell({ home: 2, away: 1, halfTime: null }, 'the-odds-api');
    await tell({ home: 2, away: 1, halfTime: { home: 1, away: 0 } }, 'football-data');
    expect(await listed()).toEqual(['Athletic v Wanderers: 2–1']);
    await restateResult(await athleticId(), after(2));
    expect(await listed()).toHaveLength(1);
    await tell({ home: 2, away: 2, halfTime: { home: 1, away: 0 } }, 'football-data');
    expect(await listed()).toEqual(['Athletic v Wanderers: 2–2', 'Athletic v Wanderers: 2–1']);
  }),
);

test(
  'what was abandoned is told as such, and that it was played in the end',
  undone(async () => {
    const listed = await watched(after(3));
    await tell({ abandoned: true, score: { home: 1, away: 0 } }, 'football-data');
    expect(await listed()).toEqual(['Athletic v Wanderers was abandoned at 1–0']);
    await tell({ home: 1, away: 0, halfTime: null }, 'football-data');
    expect(await listed()).toEqual(['Athletic v Wanderers: 1–0', 'Athletic v Wanderers was abandoned at 1–0']);
  }),
);

test(
  'that a fixture has started is told by its time alone, not at the midnight of its day',
  undone(async () => {
    const listed = await watched(after(5));
    const stands = (known: boolean) =>
      sql`update fixture set start_time_known = ${known}, closed_at = null where reference = ${athletic}`.execute(
        database(),
      );
    await stands(false);
    await closeMarkets(after(1));
    expect(await listed()).toEqual([]);
    await stands(true);
    await closeMarkets(after(4));
    expect(await listed()).toEqual(['Athletic v Wanderers has started']);
  }),
);

/** A tip that five follow; its news are put down for one after the other within one moment. Gives how often their open pages are told. */
async function tipForFive() {
  const shop = await openShop('ann', { name: 'Ann Football' }, worldNow);
  for (const name of ['bob', 'cat', 'dan', 'eve', 'fay'])
    await followPortfolio(await join(name, worldNow), shop.reference, undefined, worldNow);
  const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
  await publishTip(shop.owner, shop.reference, { idempotencyKey: 'told', stakeHundredths: 100, legs }, seconds(5));
  const tag = `news-of:${shop.reference}`;
  const spread = async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    try {
      return await spreadNews(offeredChannels(), seconds(10), { people: 1 });
    } finally {
      clock.mockRestore();
    }
  };
  const timesTold = async () => {
    const { rows } = await sql<{ version: number }>`
      select version::int as version from cache_version where topic = ${tag}
    `.execute(database());
    return rows[0]?.version;
  };
  return { tag, spread, timesTold };
}

test(
  'the open pages of all followers are told of a tip as it begins to be put down and at its end, not after every batch',
  undone(async () => {
    const { spread, timesTold } = await tipForFive();
    expect(await spread()).toBeGreaterThanOrEqual(5);
    expect(await timesTold()).toBe(2);
  }),
);

test(
  'whom the last step was to tell is told though it failed',
  undone(async () => {
    const { tag, spread, timesTold } = await tipForFive();
    let tries = 0;
    refuses = (tags) => tags.includes(tag) && (tries += 1) === 2;
    await expect(spread()).rejects.toThrow('waited too long');
    refuses = () => false;
    expect([tries, await timesTold()]).toEqual([3, 2]);
  }),
);

test(
  'what comes of fixtures can be chosen, by every way',
  undone(async () => {
    const bob = await join('bob', worldNow);
    const { choices } = await getNewsSettings(bob, ['app', 'email'], worldNow);
    expect(choices.filter(({ topic }) => topic === 'fixture')).toMatchObject([
      { channel: 'app', wanted: true, locked: false },
      { channel: 'email', wanted: false, locked: false },
      { channel: 'push', wanted: true },
      { channel: 'telegram', wanted: true },
    ]);
  }),
);

test(
  'a message leads to the slip with a tip that is open and may be read, and nowhere with another',
  undone(async () => {
    const shop = await openShop('ann', { name: 'Ann Football' }, worldNow);
    const bob = await join('bob', worldNow);
    await sql`update account set email = 'bob@example.org', email_confirmed = true where id = ${bob.accountId}`.execute(
      database(),
    );
    await followPortfolio(bob, shop.reference, undefined, worldNow);
    const told: Message[] = [];
    const way: Channel = {
      ...{ channel: 'push', reach: reachedByMail, isOurs: false },
      open: async () => ({
        deliver: async (message) => {
          told.push(message);
          return 'sent';
        },
        note: async () => undefined,
      }),
    };
    const publish = async (hidden: boolean) => {
      const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
      const input = { idempotencyKey: `slip-${hidden}`, stakeHundredths: 100, hidden, legs };
      const { reference } = await publishTip(shop.owner, shop.reference, input, seconds(5));
      await spreadNews([way], seconds(10));
      await sendDueNews(seconds(10), {
        viewerOf: ({ countryId, ...known }) => member(known, countryId),
        channels: [way],
        seconds: 5,
      });
      return reference;
    };
    const open = await publish(false);
    expect(told.map(({ slipLink }) => slipLink)).toEqual([
      expect.stringMatching(new RegExp(`^https?://[^/]+/dashboard/bets\\?slip=ann-football%2F${open}$`)),
    ]);
    await publish(true);
    expect(told.slice(1).map(({ slipLink, tip }) => [slipLink, tip?.lock])).toEqual([[null, 'hidden']]);
  }),
);
