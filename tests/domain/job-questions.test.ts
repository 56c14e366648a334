import { sql } from 'kysely';
import { askForCode, followPortfolio } from '@/lib/accounts/commands';
import { storeContent } from '@/lib/content/commands';
import { saveContent } from '@/lib/content/commands/edit';
import { closeMarkets, importFixtures } from '@/lib/fixtures/commands';
import { placeAutobets } from '@/lib/jobs/autobets';
import { jobs } from '@/lib/jobs/schedule';
import { offeredChannels, sendDueNews, spreadNews } from '@/lib/notifications/commands';
import { member } from '@/lib/http/viewer';
import { readOrder, renewMemberships } from '@/lib/memberships/commands';
import { chooseOutcome } from '@/lib/money/commands';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { whyNoPage } from '@/lib/redirects';
import { PortfolioVisibility, Role } from '@/lib/reference/schema';
import { storeBookmakers } from '@/lib/reference/commands';
import { resettlePlayedFixtures } from '@/lib/rulings/commands';
import { computeDueLuck, foldOldDays } from '@/lib/stats/commands';
import { foldVersion } from '@/lib/stats/rules/stored-day';
import { setWebhook } from '@/lib/webhooks/commands';
import { openStaff } from '../support/accounts';
import { bet } from '../support/bets';
import { samples, withProject } from '../support/content-samples';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { inEnvironment } from '../support/environment';
import { join, offer, openShop } from '../support/members';
import { openCommitments, placeBet, publishTip, resettleCorrected, settleDueTips } from '../support/moments';
import { openMonthly, orderMonth, pageOf } from '../support/sales';
import { match, worldNow } from '../support/world';

onTestDatabase();

const after = (seconds: number) => new Date(worldNow.getTime() + seconds * 1000);
const whenAllIsDue = after(30 * 86_400);

const told = new Set<string>();

/** The jobs that find work at a moment, of those that ask the database. */
async function withWork(at: Date): Promise<string[]> {
  const found: string[] = [];
  for (const { name, asking } of jobs) {
    if (!asking) continue;
    const { rows } = await sql<{ works: boolean }>`select ${asking.hasWork(at)} as works`.execute(database());
    if (rows[0]?.works) found.push(name);
  }
  for (const name of found) told.add(name);
  return found;
}

const athletic = 'athletic-v-wanderers-2026-03-10';
const start = new Date('2026-03-10T20:00:00.000Z');
const afterStart = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

const finish = (home: number, away: number, at: Date) =>
  importFixtures(
    [
      {
        line: 1,
        fixture: match('Athletic', 'Wanderers', start.toISOString(), { result: { home, away, halfTime: null } }),
      },
    ],
    'football-data',
    at,
  );

test(
  'the jobs of fixtures, the record and its statistics are told of their work, and not once it is done',
  undone(async () => {
    expect(await withWork(worldNow)).toEqual(['close-markets']);
    await closeMarkets(worldNow);
    expect(await withWork(worldNow)).toEqual([]);

    const shop = await openShop('cid', { name: 'Cid', visibility: PortfolioVisibility.premium }, worldNow);
    const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
    const tip = { idempotencyKey: 'tip', legs, stakeHundredths: 100, hidden: true };
    await publishTip(shop.owner, shop.reference, tip, after(1));
    await decidedAt(after(1), () => placeAutobets(after(1)));
    await spreadNews(offeredChannels(), after(1), { seconds: 5 });
    expect(await withWork(after(1))).toEqual([]);
    expect(await withWork(afterStart(0))).toEqual(['close-markets', 'open-commitments']);
    await closeMarkets(afterStart(0));
    await openCommitments(afterStart(0));
    const onRecord = async (at: Date) => {
      await decidedAt(at, () => placeAutobets(at));
      await spreadNews(offeredChannels(), at, { seconds: 5 });
      return withWork(at);
    };
    expect(await onRecord(afterStart(0))).toEqual([]);

    await finish(2, 0, afterStart(5));
    expect(await withWork(afterStart(5))).toEqual(['settle-due-tips']);
    await settleDueTips(afterStart(5));
    expect(await onRecord(afterStart(5))).toEqual(['compute-luck']);
    await computeDueLuck(afterStart(5));
    expect(await withWork(afterStart(5))).toEqual([]);

    await finish(2, 2, afterStart(7));
    expect(await withWork(afterStart(7))).toEqual(['resettle-corrected']);
    await resettleCorrected(afterStart(7));
    await computeDueLuck(afterStart(7));
    expect(await onRecord(afterStart(7))).toEqual([]);

    await asOwner(sql`update portfolio_day set fold = 1`, { unguarded: ['portfolio_day'] });
    expect(await withWork(afterStart(8))).toEqual(['fold-old-days']);
    while ((await foldOldDays(afterStart(8))) > 0);
    await computeDueLuck(afterStart(8));
    expect(await withWork(afterStart(8))).toEqual([]);
  }),
);

test('days of an earlier fold are found by an index that holds nothing else', async () => {
  const { rows } = await sql<{ indexdef: string }>`
    select indexdef from pg_indexes where tablename = 'portfolio_day' and indexdef like ${`%WHERE (fold < ${foldVersion})%`}
  `.execute(database());
  expect(rows).toHaveLength(1);
});

test(
  'what was void as postponed is told to be settled anew once the match has a result, and not once it is settled',
  undone(async () => {
    const shop = await openShop('cid', { name: 'Cid' }, worldNow);
    const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
    await publishTip(shop.owner, shop.reference, { idempotencyKey: 'tip', legs, stakeHundredths: 100 }, after(1));
    const day = { startTimeKnown: false, postponed: true };
    const postponed = match('Athletic', 'Wanderers', '2026-03-10T00:00:00.000Z', day);
    await importFixtures([{ line: 1, fixture: postponed }], 'openfootball', afterStart(-2));
    await settleDueTips(afterStart(60));
    const isTold = async (hours: number) => (await withWork(afterStart(hours))).includes('resettle-played');
    expect(await isTold(60)).toBe(false);

    const result = { home: 1, away: 0, halfTime: null };
    const played = match('Athletic', 'Wanderers', afterStart(47).toISOString(), { result });
    await importFixtures([{ line: 1, fixture: played }], 'football-data', afterStart(61));
    expect(await isTold(61)).toBe(true);
    await decidedAt(afterStart(61), () => resettlePlayedFixtures(afterStart(61)));
    expect(await isTold(61)).toBe(false);
  }),
);

test(
  'the renewal of memberships is told when one is due, and not once it is renewed',
  undone(async () => {
    const { reference } = await decidedAt(worldNow, () =>
      openMonthly({ owner: 'dan', portfolio: 'Dan' }, 2_000, worldNow),
    );
    const eve = await join('eve', worldNow);
    await decidedAt(worldNow, async () => {
      const order = await orderMonth(eve, reference, 2_000, 'one');
      await chooseOutcome(pageOf(order), 'success');
      expect(await readOrder(eve, order.reference)).toMatchObject({ status: 'paid' });
    });
    const isTold = async (days: number) => (await withWork(after(days * 86_400))).includes('renew-memberships');
    expect([await isTold(30), await isTold(31)]).toEqual([false, true]);
    await decidedAt(after(31 * 86_400), () => renewMemberships(after(31 * 86_400)));
    expect([await isTold(31), await isTold(60)]).toEqual([false, false]);
  }),
);

test('each other job that asks is told of its work when it is due, and not once it is done', async () => {
  expect(await withWork(whenAllIsDue)).toEqual(['close-markets']);

  const { owner, reference } = await openShop('ann', { name: 'Ann' }, worldNow);
  const bob = await join('bob', worldNow);
  await sql`update account set email = 'bob@example.org', email_confirmed = true where id = ${bob.accountId}`.execute(
    database(),
  );
  await followPortfolio(bob, reference, undefined, worldNow);
  expect(await withWork(whenAllIsDue)).toEqual(['close-markets']);

  await placeBet(bob, await bet(), 'bet', after(1));
  await closeMarkets(worldNow);
  expect([await withWork(after(1)), await withWork(whenAllIsDue)]).toEqual([[], ['close-markets', 'settle-due-bets']]);
  await sql`update bet set due_at = null`.execute(database());

  const legs = [await offer(athletic, 'match-result', 'home', 'bet365')];
  await publishTip(owner, reference, { idempotencyKey: 'tip', legs, stakeHundredths: 100 }, after(2));
  expect(await withWork(after(2))).toEqual(['place-autobets', 'spread-news']);
  expect(await withWork(whenAllIsDue)).toEqual(['close-markets', 'settle-due-tips', 'place-autobets', 'spread-news']);

  await decidedAt(after(3), () => placeAutobets(after(3)));
  await spreadNews(offeredChannels(), after(3), { seconds: 5 });
  expect(await withWork(after(10))).toEqual(['send-news', 'send-news-too']);
  await sendDueNews(after(10), {
    viewerOf: ({ countryId, ...known }) => member(known, countryId),
    channels: offeredChannels(),
    seconds: 5,
  });
  expect(await withWork(after(10))).toEqual([]);

  await inEnvironment({ TIPLEDGER_OUTGOING_PRIVATE: '127.0.0.1:9' }, async () => {
    await setWebhook(owner, reference, { address: 'http://127.0.0.1:9/' }, after(5));
  });
  expect(await withWork(after(5))).toEqual(['send-webhooks']);
  await sql`update webhook set paused_at = ${after(5)}`.execute(database());
  expect(await withWork(after(5))).toEqual([]);

  await askForCode('nobody@example.org', 'confirm', after(6));
  expect(await withWork(after(6))).toEqual(['send-asked-codes']);
  await sql`delete from code_request`.execute(database());

  await storeBookmakers();
  await withProject(samples, async (project) => {
    await storeContent(project, { demo: true, release: 'one' }, worldNow);
  });
  const { viewer } = await openStaff('staff', Role.admin, worldNow);
  await decidedAt(worldNow, () =>
    saveContent(
      viewer,
      { kind: 'betting-terms', reference: 'overround', whyNoPage },
      { reason: 'Say it more plainly', preview: false },
      { after: 0, when: 'at', publishAt: after(3_600).toISOString().slice(0, 19) },
      {
        title: 'Overround in plain words',
        summary: 'What staff say of the overround in a sentence, long enough for search engines.',
        demo: false,
        body: 'As staff wrote it. See the [margin](/betting-terms/margin).',
        facts: { term: 'Overround', seeAlso: ['margin'] },
      },
    ),
  );
  expect([await withWork(after(3_599)), await withWork(after(3_600))]).toEqual([[], ['publish-content']]);

  await inEnvironment({ SMTP_URL: 'smtp://127.0.0.1:9' }, async () => {
    expect(await withWork(after(20))).toEqual(['send-mails']);
  });
  expect([...told].toSorted()).toEqual(jobs.flatMap(({ name, asking }) => (asking ? [name] : [])).toSorted());
});
