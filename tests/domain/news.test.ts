import { sql } from 'kysely';
import { followPortfolio, unfollowPortfolio } from '@/lib/accounts/commands';
import { offeredChannels } from '@/lib/notifications/commands';
import { type Channel, reachedByMail } from '@/lib/notifications/commands/channels';
import { previewNews, sendDigests, sendDueNews } from '@/lib/notifications/commands';
import { changeNews, changePortfolioNews, followMailLink, readNotifications } from '@/lib/notifications/commands';
import { pruneNews, rewriteMails, spreadNews } from '@/lib/notifications/commands';
import { getMailLink, getNewsSettings, listNotifications } from '@/lib/notifications/queries';
import type { Message } from '@/lib/notifications/schema/messages';
import { database } from '@/lib/platform/database';
import { sendDueMails } from '@/lib/platform/mail';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { TipInput } from '@/lib/tips/schema';
import { onTestDatabase, undone } from '../support/database';
import { inEnvironment } from '../support/environment';
import { offer, openShop, sellMonthly } from '../support/members';
import { publishTip } from '../support/moments';
import { after, mailsTo, pass, type Reader, reader, viewerOf } from '../support/news';
import { openSmtpSink, type SmtpSink } from '../support/smtp-sink';
import { worldNow } from '../support/world';

onTestDatabase();

const athletic = 'athletic-v-wanderers-2026-03-10';
let turn = 0;

type Shop = Awaited<ReturnType<typeof openShop>>;

const open = () => openShop(`shop-${(turn += 1)}`, { name: `Shop ${turn}` }, worldNow);
const follow = (viewer: Reader, { reference }: Shop) => followPortfolio(viewer, reference, undefined, worldNow);

async function tip({ owner, reference }: Shop, more: Partial<TipInput> = {}, at = after(5)): Promise<string> {
  const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
  const input = { idempotencyKey: `news-${(turn += 1)}`, stakeHundredths: 200, ...more, legs };
  return (await publishTip(owner, reference, input, at)).reference;
}

const listOf = async (viewer: Reader, at = after(20)) => (await listNotifications(viewer, at)).items;

/** The guid of the link in mails to a reader, about a tipster or about none. */
async function linkOf({ accountId }: Reader, shop: Shop | null = null): Promise<string> {
  const { rows } = await sql<{ guid: string }>`
    insert into mail_link (account_id, portfolio_id) values (${accountId}, ${shop?.id ?? null}) returning guid
  `.execute(database());
  return rows[0]?.guid ?? '';
}

/** A way to everybody that keeps what it is given, or does with it what it is told. */
function way(deliver: (message: Message) => Promise<'sent' | 'retry' | 'gone'>): Channel {
  return {
    channel: 'push',
    reach: reachedByMail,
    isOurs: false,
    open: async () => ({ deliver, note: async () => undefined }),
  };
}

test(
  'a tip reaches each of its followers once, in the list and by mail, with selection, price taken, best price, stake and links',
  undone(async () => {
    const [shop, ann, bob] = [await open(), await reader(), await reader()];
    await Promise.all([ann, bob].map((each) => follow(each, shop)));
    const reference = await tip(shop);
    expect([await pass(), await pass(after(12))]).toEqual([2, 0]);
    for (const each of [ann, bob]) {
      const [mail, ...more] = await mailsTo(each);
      expect(more).toEqual([]);
      expect(mail?.subject).toMatch(/: Athletic to beat Wanderers$/);
      for (const said of [/taken at 2\.5/, /best now 2\.5/, /Stake 2\.00 units/, new RegExp(`/tips/${reference}`)])
        expect(mail?.text).toMatch(said);
      expect(mail?.html).toContain('prefers-color-scheme:dark');
      expect(mail?.headers).toMatchObject({
        'List-Unsubscribe': expect.stringMatching(/^<https?:\/\/.*\/unsubscribe\/[0-9a-f-]{36}>$/),
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      });
      expect(await listOf(each)).toMatchObject([
        { kind: 'tip', read: false, portfolio: { reference: shop.reference } },
      ]);
    }
  }),
);

test(
  'what was read stays read, and the badge counts the rest',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await follow(ann, shop);
    await tip(shop);
    await tip(shop, {}, after(6));
    await pass();
    const [newest, older] = await listOf(ann);
    await readNotifications(ann, { ids: [older?.id ?? 0] }, after(21));
    expect(await listNotifications(ann, after(22))).toMatchObject({
      unread: 1,
      items: [
        { id: newest?.id, read: false },
        { id: older?.id, read: true },
      ],
    });
  }),
);

test(
  'members are served before followers',
  undone(async () => {
    const [shop, early, paying] = [await open(), await reader(), await reader()];
    await follow(early, shop);
    await sql`insert into membership (account_id, portfolio_id, starts_at, ends_at) values (${paying.accountId}, ${shop.id}, ${worldNow}, ${after(86_400)})`.execute(
      database(),
    );
    await tip(shop);
    await pass();
    const { rows } = await sql<{
      to: string;
    }>`select recipient as "to" from mail_outbox order by id desc limit 2`.execute(database());
    const [second, first] = rows.map(({ to }) => to);
    expect([first, second]).toEqual([(await mailsTo(paying))[0]?.to, (await mailsTo(early))[0]?.to]);
  }),
);

test(
  'a tip that has started, and one of a tipster who is no longer followed, are not sent; nor is what was turned off meanwhile',
  undone(async () => {
    const [shop, late, gone, off, silent] = [
      await open(),
      await reader(),
      await reader(),
      await reader(),
      await reader(),
    ];
    for (const each of [late, gone, off, silent]) await follow(each, shop);
    await tip(shop);
    await spreadNews(offeredChannels(), after(6), { seconds: 5 });
    await unfollowPortfolio(gone, shop.reference, after(7));
    await changePortfolioNews(off, shop.reference, { choices: [{ topic: 'tip', channel: 'email', wanted: false }] });
    await changeNews(silent, { silenced: true });
    const started = new Date('2026-03-10T20:00:00.000Z');
    expect(await sendDueNews(started, { viewerOf, channels: offeredChannels(), seconds: 5 })).toBe(0);
    const { rows } = await sql<{ because: string }>`
      select because from delivery where channel = 'email' and account_id = any(${[late, gone, off, silent].map(({ accountId }) => accountId)}::int[]) order by account_id
    `.execute(database());
    expect(rows.map(({ because }) => because)).toEqual([
      'started',
      'not theirs any more',
      'not wanted any more',
      'not wanted any more',
    ]);
  }),
);

test(
  'a member whose membership ends between the tip and its sending is told no selection',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await sql`update portfolio set visibility = ${PortfolioVisibility.premium} where id = ${shop.id}`.execute(
      database(),
    );
    await sellMonthly(shop.id, worldNow);
    await follow(ann, shop);
    await sql`insert into membership (account_id, portfolio_id, starts_at, ends_at) values (${ann.accountId}, ${shop.id}, ${worldNow}, ${after(8)})`.execute(
      database(),
    );
    await tip(shop, { free: false });
    await spreadNews(offeredChannels(), after(6), { seconds: 5 });
    await sendDueNews(after(9), { viewerOf, channels: offeredChannels(), seconds: 5 });
    const [mail] = await mailsTo(ann);
    expect(mail?.subject).toMatch(/: A tip for members$/);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Athletic|2\.5/);
    expect(JSON.stringify(await listOf(ann))).not.toMatch(/Athletic/);
  }),
);

describe('a mail of news that waits for its server', () => {
  let sink: SmtpSink;
  beforeAll(async () => void (sink = await openSmtpSink()));
  afterAll(() => sink.close());

  /** Sends what waits in the outbox as the job does; gives the mails that reached a member. */
  async function arrived(name: Reader, at: Date): Promise<string[]> {
    const { rows } = await sql<{ email: string }>`select email from account where id = ${name.accountId}`.execute(
      database(),
    );
    await inEnvironment({ SMTP_URL: sink.url }, async () => {
      await sendDueMails(at, { rewrite: (told, moment) => rewriteMails(told, viewerOf, moment) });
    });
    return sink.mails.flatMap(({ to, message }) =>
      to.includes(rows[0]?.email ?? '') ? [message.replaceAll('=\r\n', '')] : [],
    );
  }

  async function memberOf(shop: Shop, until: Date): Promise<Reader> {
    const ann = await reader();
    await sql`update portfolio set visibility = ${PortfolioVisibility.premium} where id = ${shop.id}`.execute(
      database(),
    );
    await sellMonthly(shop.id, worldNow);
    await follow(ann, shop);
    await sql`insert into membership (account_id, portfolio_id, starts_at, ends_at) values (${ann.accountId}, ${shop.id}, ${worldNow}, ${until})`.execute(
      database(),
    );
    return ann;
  }

  test(
    'tells what its reader may see when it is sent: the selection to a member, nothing of it once the membership has ended',
    undone(async () => {
      const [shop, other] = [await open(), await open()];
      const [ann, bea] = [await memberOf(shop, after(900)), await memberOf(other, after(30))];
      for (const each of [shop, other]) await tip(each, { free: false });
      await pass();
      for (const each of [ann, bea]) expect((await mailsTo(each))[0]?.text).toMatch(/Athletic/);
      const [toAnn, toBea] = [await arrived(ann, after(60)), await arrived(bea, after(60))];
      expect(toAnn).toEqual([expect.stringContaining('Athletic')]);
      expect(toBea).toEqual([expect.stringContaining('A tip for members')]);
      expect(toBea[0]).not.toMatch(/Athletic|2\.5/);
    }),
  );

  test(
    'waits on through quiet hours that begin meanwhile, which is no try, and tells then what still holds',
    undone(async () => {
      const [shop, ann, bea] = [await open(), await reader(), await reader()];
      for (const each of [ann, bea]) await follow(each, shop);
      await tip(shop);
      await pass();
      // Quiet from 11:00 to 13:00; it is noon in London.
      for (const each of [ann, bea])
        await changeNews(each, { hours: { quietFrom: 660, quietUntil: 780, digestHour: null } });
      for (const at of [after(60), after(3_000)]) expect(await arrived(ann, at)).toEqual([]);
      const { rows } = await sql<{
        attempts: number;
        at: Date;
      }>`select attempts, next_at as at from mail_outbox`.execute(database());
      const end = new Date('2026-03-10T13:00:00.000Z');
      expect(rows).toEqual([
        { attempts: 0, at: end },
        { attempts: 0, at: end },
      ]);
      await unfollowPortfolio(bea, shop.reference, after(3_100));
      expect([(await arrived(ann, end)).length, await arrived(bea, end)]).toEqual([1, []]);
    }),
  );

  test.each<[string, string, (ann: Reader, shop: Shop) => Promise<unknown>, Date]>([
    [
      'whose reader follows no more',
      'not theirs any more',
      (ann, { reference }) => unfollowPortfolio(ann, reference, after(30)),
      after(60),
    ],
    [
      'whose reader wants no such mail any more',
      'not wanted any more',
      (ann) => changeNews(ann, { choices: [{ topic: 'tip', channel: 'email', wanted: false }] }),
      after(60),
    ],
    [
      'whose address has sent mail back',
      'no way',
      (ann) =>
        sql`insert into mail_stop (address, because, at) select lower(email), '550', ${after(30)} from account where id = ${ann.accountId}`.execute(
          database(),
        ),
      after(60),
    ],
    ['of a tip that has started', 'started', async () => undefined, new Date('2026-03-10T20:00:00.000Z')],
  ])('%s is not sent, and it is written down why', (_, because, change, at) =>
    undone(async () => {
      const [shop, ann] = [await open(), await reader()];
      await follow(ann, shop);
      await tip(shop);
      await pass();
      await change(ann, shop);
      expect(await arrived(ann, at)).toEqual([]);
      expect(await mailsTo(ann)).toEqual([]);
      const { rows } =
        await sql`select state, because from delivery where channel = 'email' and account_id = ${ann.accountId}`.execute(
          database(),
        );
      expect(rows).toEqual([{ state: 'dropped', because }]);
    })(),
  );
});

test(
  'who turns one way off is told by the others, also where more is chosen, and staff see as many beforehand',
  undone(async () => {
    const [shop, ann, bob] = [await open(), await reader(), await reader()];
    for (const each of [ann, bob]) await follow(each, shop);
    await changeNews(ann, { choices: [{ topic: 'tip', channel: 'email', wanted: false }] });
    await changePortfolioNews(bob, shop.reference, {
      choices: [
        { topic: 'tip', channel: 'email', wanted: true },
        { topic: 'tip', channel: 'push', wanted: false },
      ],
    });
    const [reached] = await previewNews([{ kind: 'tip', count: 1, portfolioId: shop.id }], after(5));
    await tip(shop);
    const pushed: string[] = [];
    const push: Channel = { ...way(async ({ kind }) => (pushed.push(kind), 'sent')), reach: reachedByMail };
    expect(await pass(after(10), [...offeredChannels().filter(({ isOurs }) => isOurs), push])).toBe(2);
    expect([await listOf(ann), await listOf(bob)].map(({ length }) => length)).toEqual([1, 1]);
    expect([await mailsTo(ann), await mailsTo(bob)].map(({ length }) => length)).toEqual([0, 1]);
    expect(pushed).toEqual(['tip']);
    expect(reached).toMatchObject({
      people: 2,
      ways: [
        { channel: 'app', people: 2 },
        { channel: 'email', people: 1 },
      ],
    });
  }),
);

test(
  'a channel that takes nothing is tried again later, and one that is gone no more',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await follow(ann, shop);
    await tip(shop);
    const answers = ['retry', 'gone', 'sent'] as const;
    let tries = 0;
    const by = [way(async () => answers[(tries += 1) - 1] ?? 'sent')];
    await pass(after(10), by);
    await pass(after(39), by);
    expect(tries).toBe(1);
    await pass(after(40), by);
    await pass(after(4_000), by);
    expect(tries).toBe(2);
  }),
);

test(
  'an event that cannot be spread holds up no other, and its fault is told',
  undone(async () => {
    const [shop, other, ann, bob] = [await open(), await open(), await reader(), await reader()];
    await follow(ann, shop);
    await follow(bob, other);
    await tip(shop);
    await tip(other, {}, after(6));
    const push = way(async () => 'sent');
    const failing: Channel = { ...push, reach: sql<boolean>`1 / (account.id - ${ann.accountId}) is not null` };
    await expect(spreadNews([failing], after(10), { seconds: 5 })).rejects.toThrow('division by zero');
    expect([await listOf(ann), await listOf(bob)].map(({ length }) => length)).toEqual([0, 1]);
    await pass(after(12), [push]);
    expect([await listOf(ann), await listOf(bob)].map(({ length }) => length)).toEqual([1, 1]);
  }),
);

test(
  'a service that is slow with some holds up nobody else',
  undone(async () => {
    const shop = await open();
    await sql`
      with made as (
        insert into account (username, email, email_confirmed, created_at)
        select 'crowd-' || n, 'crowd-' || n || '@example.org', true, ${worldNow} from generate_series(1, 200) n returning id)
      insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at) select id, ${shop.id}, 100, ${worldNow} from made
    `.execute(database());
    await tip(shop);
    let answer: (outcome: 'sent') => void = () => undefined;
    const slow = new Promise<'sent'>((resolve) => void (answer = resolve));
    let [given, taken] = [0, 0];
    const by = way(async () => {
      given += 1;
      if (given % 20 === 1) return slow;
      taken += 1;
      if (taken === 190) answer('sent');
      return 'sent';
    });
    expect(await pass(after(10), [by])).toBe(200);
    expect([given, taken]).toEqual([200, 190]);
  }),
);

test(
  'quiet hours hold mail by the clock of the member, also on the night that it changes, and leave the list alone',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await follow(ann, shop);
    // Quiet from 11:00 to 13:00; it is noon in London.
    await changeNews(ann, { hours: { quietFrom: 660, quietUntil: 780, digestHour: null } });
    await tip(shop);
    expect(await pass()).toBe(0);
    expect(await listOf(ann)).toHaveLength(1);
    expect(await pass(new Date('2026-03-10T12:59:59.000Z'))).toBe(0);
    expect(await pass(new Date('2026-03-10T13:00:00.000Z'))).toBe(1);
  }),
);

test(
  'one mail a day gathers what is still to be told at the hour of the member’s zone, once',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await follow(ann, shop);
    await changeNews(ann, { hours: { quietFrom: null, quietUntil: null, digestHour: 18 } });
    await tip(shop);
    await tip(shop, {}, after(6));
    expect(await pass()).toBe(0);
    const send = (at: string) => sendDigests(new Date(at), { viewerOf, channels: offeredChannels(), seconds: 5 });
    expect(await send('2026-03-10T17:59:00.000Z')).toBe(0);
    expect([await send('2026-03-10T18:00:00.000Z'), await send('2026-03-10T18:01:00.000Z')]).toEqual([1, 0]);
    const [mail, ...more] = await mailsTo(ann);
    expect([more.length, mail?.subject]).toEqual([0, 'Your day at Tipledger: 2 updates']);
    expect(mail?.text.match(/Athletic to beat Wanderers\n/g)).toHaveLength(2);
    const toSlip = /\/dashboard\/bets\?slip=[\w-]+(?:%2F|\/)\w+/g;
    expect([mail?.text, mail?.html].map((said) => new Set(said?.match(toSlip)).size)).toEqual([2, 2]);
  }),
);

test(
  'the mail of a day is one for each, however much is to be told: it lists a hundred and counts the rest',
  undone(async () => {
    const readers = [await reader(), await reader(), await reader()];
    const counts = [230, 101, 2];
    for (const [index, { accountId }] of readers.entries()) {
      await changeNews(readers[index] as Reader, { hours: { quietFrom: null, quietUntil: null, digestHour: 18 } });
      await sql`
        with made as (
          insert into event (kind, key, at, account_id, details)
          select 'staff', 'day:' || ${accountId}::int || ':' || n, ${worldNow}, ${accountId}, jsonb_build_object('title', 'Update ' || n, 'body', 'Words.', 'path', null)
          from generate_series(1, ${counts[index]}::int) n returning id)
        insert into delivery (event_id, account_id, channel, state, digest, next_at) select id, ${accountId}, 'email', 'waiting', true, ${worldNow} from made
      `.execute(database());
    }
    const send = () => sendDigests(after(60), { viewerOf, channels: offeredChannels(), seconds: 20 });
    expect([await send(), await send()]).toEqual([3, 0]);
    const mails = (await Promise.all(readers.map(mailsTo))).map(([mail, ...more]) => {
      expect(more).toEqual([]);
      return [
        mail?.subject,
        mail?.text.match(/^Update \d+$/gm)?.length,
        /There (?:is|are) .*/.exec(mail?.text ?? '')?.[0],
      ];
    });
    expect(mails).toEqual([
      ['Your day at Tipledger: 230 updates', 100, 'There are 130 more updates in your list on the site.'],
      ['Your day at Tipledger: 101 updates', 100, 'There is 1 more update in your list on the site.'],
      ['Your day at Tipledger: 2 updates', 2, undefined],
    ]);
    const { rows } = await sql`select from delivery where state = 'waiting'`.execute(database());
    expect(rows).toEqual([]);
  }),
);

test(
  'who reads a tipster by Pro is told as a member, before followers, for as long as both last',
  undone(async () => {
    const [shop, early, pro, left, lapsed] = [
      await open(),
      await reader(),
      await reader(),
      await reader(),
      await reader(),
    ];
    await follow(early, shop);
    await sql`update portfolio set visibility = ${PortfolioVisibility.premium}, tipledger_pro = true where id = ${shop.id}`.execute(
      database(),
    );
    await sellMonthly(shop.id, worldNow);
    for (const { accountId } of [pro, left, lapsed])
      await sql`insert into pro_team (account_id, portfolio_id, joined_at) values (${accountId}, ${shop.id}, ${worldNow})`.execute(
        database(),
      );
    await sql`update account set pro = true where id = any(${[pro, left].map(({ accountId }) => accountId)}::int[])`.execute(
      database(),
    );
    await sql`update pro_team set left_at = ${after(1)} where account_id = ${left.accountId}`.execute(database());
    const ways = ['app' as const];
    expect((await getNewsSettings(pro, ways, worldNow)).portfolios).toMatchObject([{ reference: shop.reference }]);
    expect((await getNewsSettings(lapsed, ways, worldNow)).portfolios).toEqual([]);
    const [reached] = await previewNews([{ kind: 'tip', count: 1, portfolioId: shop.id }], after(5));
    expect(reached).toMatchObject({ people: 2 });
    await tip(shop, { free: false });
    await pass();
    const { rows } = await sql<{ to: string }>`select recipient as "to" from mail_outbox order by id`.execute(
      database(),
    );
    const [own] = await mailsTo(pro);
    expect(rows.map(({ to }) => to)).toEqual([own?.to, (await mailsTo(early))[0]?.to]);
    expect(own?.text).toMatch(/taken at 2\.5/);
    await tip(shop, { free: false }, after(30));
    await spreadNews(offeredChannels(), after(31), { seconds: 5 });
    await sql`update account set pro = false where id = ${pro.accountId}`.execute(database());
    await sendDueNews(after(32), { viewerOf, channels: offeredChannels(), seconds: 5 });
    expect(await mailsTo(pro)).toHaveLength(1);
  }),
);

test(
  'followers are read in their order from an index, a batch without the others',
  undone(async () => {
    const [shop, other] = [await open(), await open()];
    await sql`
      with made as (
        insert into account (username, created_at) select 'mass-' || n, ${worldNow} from generate_series(1, 20000) n returning id)
      insert into follow (account_id, portfolio_id, max_stake_hundredths, created_at)
      select id, ${other.id}::int, 100, ${worldNow}::timestamptz from made union all select id, ${shop.id}::int, 100, ${worldNow}::timestamptz from made
    `.execute(database());
    // The program may not analyze, so its plan would go by a guess at how many there are.
    await sql`set local enable_bitmapscan = off`.execute(database());
    const plan = await sql<{ 'QUERY PLAN': string }>`
      explain select account_id from follow where portfolio_id = ${shop.id} and account_id > 5000 order by account_id limit 500
    `.execute(database());
    const said = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(said).toContain('follow_portfolio_account');
    expect(said).not.toContain('Sort');
  }),
);

test(
  'the link of a mail about no tipster lists and stops what it is about: fixtures and staff too, each by itself',
  undone(async () => {
    const ann = await reader();
    await changeNews(ann, {
      choices: [
        ...(['tip', 'post'] as const).map((topic) => ({ topic, channel: 'email' as const, wanted: false })),
        { topic: 'fixture', channel: 'email', wanted: true },
      ],
    });
    const guid = await linkOf(ann);
    const none = { portfolio: null, tip: false, post: false, settlement: false, daily: false, silenced: false };
    expect(await getMailLink(guid, worldNow)).toEqual({ ...none, fixture: true, staff: true });
    expect(await followMailLink(guid, 'stop-fixture', worldNow)).toEqual({ ...none, fixture: false, staff: true });
    expect(await followMailLink(guid, 'stop-staff', worldNow)).toEqual({ ...none, fixture: false, staff: false });
    const shop = await open();
    await follow(ann, shop);
    expect(await followMailLink(guid, 'resume', worldNow)).toMatchObject({ tip: true, staff: true });
    expect(await followMailLink(await linkOf(ann, shop), 'stop', worldNow)).toMatchObject({
      tip: false,
      fixture: false,
      staff: false,
    });
    expect(await getMailLink(guid, worldNow)).toMatchObject({ tip: true, staff: true });
  }),
);

test(
  'the consent to news of the site is changed with the choices, and stopped by the link of a mail about no tipster',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await follow(ann, shop);
    const isGiven = async () => (await getNewsSettings(ann, ['email'], worldNow)).siteNews;
    const given = [await isGiven()];
    await changeNews(ann, { siteNews: true });
    await followMailLink(await linkOf(ann, shop), 'stop', worldNow);
    given.push(await isGiven());
    const guid = await linkOf(ann);
    for (const action of ['stop', 'resume'] as const) await followMailLink(guid, action, worldNow);
    expect([...given, await isGiven()]).toEqual([false, true, false]);
  }),
);

test(
  'the link of a mail about no tipster stops what was chosen for one as well, and says that it comes until then',
  undone(async () => {
    const [shop, muted, ann] = [await open(), await open(), await reader()];
    for (const each of [shop, muted]) await follow(ann, each);
    const off = (['tip', 'post', 'staff'] as const).map((topic) => ({
      topic,
      channel: 'email' as const,
      wanted: false,
    }));
    await changeNews(ann, { choices: off, hours: { quietFrom: null, quietUntil: null, digestHour: 20 } });
    const choices = (['tip', 'settlement'] as const).map((topic) => ({
      topic,
      channel: 'email' as const,
      wanted: true,
    }));
    await changePortfolioNews(ann, shop.reference, { choices });
    const post = { topic: 'post', channel: 'email', wanted: true } as const;
    await changePortfolioNews(ann, muted.reference, { silenced: true, choices: [post] });
    const guid = await linkOf(ann);
    expect(await getMailLink(guid, worldNow)).toMatchObject({ tip: true, post: false, settlement: true, staff: false });
    expect(await followMailLink(guid, 'stop-settlement', worldNow)).toMatchObject({ tip: true, settlement: false });
    expect(await followMailLink(guid, 'stop', worldNow)).toMatchObject({ tip: false, post: false, settlement: false });
    await tip(shop);
    await pass();
    await sendDigests(after(86_400), { viewerOf, channels: offeredChannels(), seconds: 5 });
    expect(await mailsTo(ann)).toEqual([]);
    const shown = (await getNewsSettings(ann, ['app', 'email'], after(20))).portfolios;
    expect(shown.find(({ reference }) => reference === shop.reference)?.choices).toContainEqual(
      expect.objectContaining({ topic: 'tip', channel: 'email', wanted: false, own: false }),
    );
  }),
);

test(
  'the link of a mail about no tipster says nothing of what was chosen for one who was left since',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await follow(ann, shop);
    const post = { topic: 'post', channel: 'email' } as const;
    await changeNews(ann, { choices: [{ ...post, wanted: false }] });
    await changePortfolioNews(ann, shop.reference, { choices: [{ ...post, wanted: true }] });
    const guid = await linkOf(ann);
    expect(await getMailLink(guid, worldNow)).toMatchObject({ post: true });
    await unfollowPortfolio(ann, shop.reference, worldNow);
    expect(await getMailLink(guid, worldNow)).toMatchObject({ post: false });
  }),
);

test(
  'the link of a mail about a tipster sends them again though mail is off for every tipster, but not while all is muted',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await follow(ann, shop);
    const [all, one] = [await linkOf(ann), await linkOf(ann, shop)];
    await followMailLink(all, 'stop', worldNow);
    expect(await getMailLink(one, worldNow)).toMatchObject({ tip: false, post: false, silenced: false });
    expect(await followMailLink(one, 'resume', worldNow)).toMatchObject({ tip: true, post: true, settlement: false });
    expect((await getNewsSettings(ann, ['email'], after(20))).choices).toContainEqual(
      expect.objectContaining({ topic: 'tip', channel: 'email', wanted: false }),
    );
    await tip(shop);
    await pass();
    expect(await mailsTo(ann)).toHaveLength(1);
    await changeNews(ann, { silenced: true });
    expect(await followMailLink(one, 'resume', worldNow)).toMatchObject({ tip: false, post: false, silenced: true });
    expect(await followMailLink(all, 'resume', worldNow)).toMatchObject({ tip: true, silenced: false });
    expect(await getMailLink(one, worldNow)).toMatchObject({ tip: true, silenced: false });
  }),
);

test(
  'the link of a mail stops, offers less, takes back, and works again after the tipster was left',
  undone(async () => {
    const [shop, ann] = [await open(), await reader()];
    await follow(ann, shop);
    await tip(shop);
    await pass();
    const guid = /unsubscribe\/([0-9a-f-]{36})/.exec((await mailsTo(ann))[0]?.text ?? '')?.[1] ?? '';
    expect(await getMailLink(guid, worldNow)).toMatchObject({
      portfolio: { reference: shop.reference },
      tip: true,
      post: true,
    });
    for (let count = 0; count < 2; count += 1)
      expect(await followMailLink(guid, 'stop', worldNow)).toMatchObject({
        tip: false,
        post: false,
        settlement: false,
      });
    await tip(shop, {}, after(30));
    expect(await pass(after(31))).toBe(0);
    await unfollowPortfolio(ann, shop.reference, after(32));
    expect(await followMailLink(guid, 'resume', worldNow)).toMatchObject({ tip: true, post: true, settlement: false });
    expect(await followMailLink(guid, 'stop-post', worldNow)).toMatchObject({ tip: true, post: false });
    expect(await followMailLink(guid, 'daily', worldNow)).toMatchObject({ daily: true });
  }),
);

test('several programs at once, and one that died between, put everything down and send everything once', async () => {
  const shop = await open();
  const readers = [];
  for (let count = 0; count < 12; count += 1) readers.push(await reader());
  for (const each of readers) await follow(each, shop);
  await tip(shop);
  // Died after its first batch of people.
  await spreadNews(offeredChannels(), after(6), { people: 5, seconds: 0 });
  const counts = await Promise.all(
    [1, 2, 3].map(async () => {
      await spreadNews(offeredChannels(), after(10), { people: 5, seconds: 5 });
      return sendDueNews(after(10), { viewerOf, channels: offeredChannels(), seconds: 5 });
    }),
  );
  await pass(after(11));
  expect(counts.reduce((sum, own) => sum + own, 0)).toBeLessThanOrEqual(12);
  for (const each of readers) expect(await mailsTo(each)).toHaveLength(1);
});

test(
  'old news go with what was delivered of them, a piece at a time, and what is left goes with the next run',
  undone(async () => {
    const shop = await open();
    const readers = [await reader(), await reader(), await reader()];
    for (const each of readers) await follow(each, shop);
    await tip(shop);
    await pass();
    const counts = async () =>
      (
        await sql`select (select count(*)::int from event) as events, (select count(*)::int from delivery) as deliveries`.execute(
          database(),
        )
      ).rows[0] as { events: number; deliveries: number };
    const before = await counts();
    expect(before.deliveries).toBeGreaterThan(4);
    expect([await pruneNews(after(89 * 86_400)), await counts()]).toEqual([0, before]);
    const old = after(91 * 86_400);
    expect(await pruneNews(old, { seconds: 0 })).toBe(0);
    // None in time: neither an event nor all that was delivered of it in one statement.
    expect(await counts()).toEqual(before);
    expect(await pruneNews(old, { atOnce: 2 })).toBe(before.events);
    expect(await counts()).toEqual({ events: 0, deliveries: 0 });
  }),
);
