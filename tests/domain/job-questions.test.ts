import { sql } from 'kysely';
import { askForCode, followPortfolio } from '@/lib/accounts/commands';
import { storeContent } from '@/lib/content/commands';
import { saveContent } from '@/lib/content/commands/edit';
import { placeAutobets } from '@/lib/jobs/autobets';
import { jobs } from '@/lib/jobs/schedule';
import { offeredChannels, sendDueNews, spreadNews } from '@/lib/notifications/commands';
import { member } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { whyNoPage } from '@/lib/redirects';
import { Role } from '@/lib/reference/schema';
import { storeBookmakers } from '@/lib/reference/commands';
import { setWebhook } from '@/lib/webhooks/commands';
import { openStaff } from '../support/accounts';
import { bet } from '../support/bets';
import { samples, withProject } from '../support/content-samples';
import { onTestDatabase } from '../support/database';
import { inEnvironment } from '../support/environment';
import { join, offer, openShop } from '../support/members';
import { placeBet, publishTip } from '../support/moments';
import { worldNow } from '../support/world';

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

test('each job that asks is told of its work when it is due, and not once it is done', async () => {
  expect(await withWork(whenAllIsDue)).toEqual([]);

  const { owner, reference } = await openShop('ann', { name: 'Ann' }, worldNow);
  const bob = await join('bob', worldNow);
  await sql`update account set email = 'bob@example.org', email_confirmed = true where id = ${bob.accountId}`.execute(
    database(),
  );
  await followPortfolio(bob, reference, undefined, worldNow);
  expect(await withWork(whenAllIsDue)).toEqual([]);

  await placeBet(bob, await bet(), 'bet', after(1));
  expect([await withWork(after(1)), await withWork(whenAllIsDue)]).toEqual([[], ['settle-due-bets']]);
  await sql`update bet set due_at = null`.execute(database());

  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  await publishTip(owner, reference, { idempotencyKey: 'tip', legs, stakeHundredths: 100 }, after(2));
  expect(await withWork(after(2))).toEqual(['place-autobets', 'spread-news']);
  expect(await withWork(whenAllIsDue)).toEqual(['settle-due-tips', 'place-autobets', 'spread-news']);

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
