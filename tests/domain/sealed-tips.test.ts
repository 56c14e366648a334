import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { guest } from '@/lib/http/viewer';
import { runnerKey } from '@/lib/fixtures/rules';
import { listFeed } from '@/lib/notifications/queries';
import { forgetEverything } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { getPost } from '@/lib/posts/queries';
import { listEntries } from '@/lib/record/queries';
import type { DetailedPublication } from '@/lib/record/schema';
import { publicationSchema } from '@/lib/record/schema/entries';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { getTip, listLatestTips, listTips } from '@/lib/tips/queries';
import { sharedTip } from '@/lib/tips/rules';
import { athletic, offerSecond, runRace, start } from '../support/bets';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { offer, openShop } from '../support/members';
import { publishPost, publishTip } from '../support/moments';
import { worldNow } from '../support/world';

onTestDatabase();

const race = 'ayr-2026-03-10-2000';

/** Ann's tips of every kind: a double and an each-way runner everybody may read, a hidden one; and a personal one of eve's. */
async function publishAll(): Promise<{
  ann: { owner: Viewer; reference: string };
  eve: { owner: Viewer; reference: string };
  tips: Record<'double' | 'runner' | 'hidden' | 'personal', string>;
}> {
  const ann = await openShop('ann', { name: 'Ann Football' }, worldNow);
  const eve = await openShop('eve', { name: 'Eve alone', visibility: PortfolioVisibility.personal }, worldNow);
  await runRace(worldNow);
  const legs = [await offer(athletic, 'match-result', 'home', 'bet365'), await offerSecond()];
  const runner = [await offer(race, 'outright-winner', runnerKey('Tin Whistle'), 'bet365')];
  const publish = async ({ owner, reference }: typeof ann, idempotencyKey: string, more: object) =>
    (
      await publishTip(
        owner,
        reference,
        { idempotencyKey, legs, stakeHundredths: 150, analysis: `Why ${idempotencyKey}.`, ...more },
        worldNow,
      )
    ).reference;
  const tips = {
    double: await publish(ann, 'double', {}),
    runner: await publish(ann, 'runner', { legs: runner, eachWay: true }),
    hidden: await publish(ann, 'hidden', { hidden: true }),
    personal: await publish(eve, 'personal', {}),
  };
  return { ann, eve, tips };
}

/** Plain changes of what a tip was made from, none of which the database refuses. */
const changes = [
  `update fixture set name = 'Elsewhere', starts_at = starts_at + interval '1 hour'`,
  `update league set name = 'Another League', sport_id = 16`,
  `update participant set name = 'Somebody', reference = 'somebody-' || id`,
  `update bookmaker set name = 'Another Bookmaker'`,
  `update market set line_hundredths = 350 where kind <> 'match-result'`,
  `update market set kind = 'both-teams-to-score' where kind = 'match-result'`,
  `update selection set name = 'The other side'`,
  `update selection set key = 'x' || key`,
];

const look = { timeZone: 'Europe/London', timeZoneName: 'GMT' };

/** Everything that is shown of these tips: pages, lists, a post with a tip, a picture, news. */
async function everythingShown({ ann, eve, tips }: Awaited<ReturnType<typeof publishAll>>, post: string) {
  forgetEverything();
  const later = new Date(start.getTime() + 1);
  const pages = await Promise.all(
    [tips.double, tips.runner, tips.hidden].map((tip) => getTip(guest(), ann.reference, tip, later)),
  );
  return {
    pages,
    personal: await getTip(eve.owner, eve.reference, tips.personal, worldNow),
    list: await listTips(ann.owner, ann.reference, { state: 'all', skip: 0 }, worldNow),
    latest: await listLatestTips(guest(), 10, worldNow),
    pictures: pages.map((tip) => sharedTip(tip, look)),
    post: await getPost(guest(), ann.reference, post, worldNow),
    feed: await listFeed(ann.owner, { kind: 'tips', skip: 0 }, worldNow),
  };
}

// What is on offer now is no part of what was published.
const sealedParts = (shown: unknown): unknown =>
  JSON.parse(JSON.stringify(shown, (name, value: unknown) => (name === 'bestNow' ? null : value)));

describe('what is shown of a published tip', () => {
  test.each(changes)('stays when somebody writes: %s', (change) =>
    undone(async () => {
      const all = await publishAll();
      const { reference: post } = await publishPost(
        all.ann.owner,
        all.ann.reference,
        { idempotencyKey: 'post', title: 'On Saturday', body: 'Two of mine.', tips: [all.tips.double] },
        worldNow,
      );
      const before = await everythingShown(all, post);
      expect(before.pages[0]?.legs).toMatchObject([
        { selectionName: 'Athletic', fixtureName: 'Athletic v Wanderers', leagueName: 'Northern League' },
        { selectionName: 'Harriers' },
      ]);
      expect(before.pages[1]).toMatchObject({
        eachWay: true,
        legs: [{ selectionName: 'Tin Whistle', fixtureName: '20:00 Ayr', eachWayPlaces: 3, eachWayFraction: '1/5' }],
      });
      await asOwner(sql.raw(change), { unguarded: /^(?:update|delete from) (\w+)/.exec(change)?.[1] ?? '' });
      expect(sealedParts(await everythingShown(all, post))).toEqual(sealedParts(before));
    })(),
  );
});

/** What a tip keeps, by its reference. */
async function readKept(): Promise<Map<string, DetailedPublication>> {
  const { rows } = await sql<{
    reference: string;
    publication: DetailedPublication;
  }>`select reference, publication from tip`.execute(database());
  return new Map(rows.map(({ reference, publication }) => [reference, publication]));
}

describe('what a tip keeps', () => {
  test(
    'is what stands on the record, to the letter, with every detail of its legs; a personal tip has the same and no entry',
    undone(async () => {
      const { tips } = await publishAll();
      const kept = await readKept();
      const { items } = await listEntries({ after: 0, limit: 10 });
      const sealed = new Map(
        items.flatMap((entry) => (entry.kind === 'tip-published' ? [[entry.tip, entry.content] as const] : [])),
      );
      const { rows } = await sql<{
        publication: unknown;
      }>`select tip_commitment.publication::jsonb as publication from tip_commitment`.execute(database());
      expect([kept.get(tips.double), kept.get(tips.runner), kept.get(tips.hidden)]).toEqual([
        sealed.get(tips.double),
        sealed.get(tips.runner),
        rows[0]?.publication,
      ]);
      expect(items.map((entry) => 'tip' in entry && entry.tip)).not.toContain(tips.personal);
      for (const publication of kept.values()) expect(publicationSchema.parse(publication)).toEqual(publication);
      expect(kept.get(tips.personal)?.legs[0]?.details).toEqual({
        ...{
          sport: 'football',
          league: { reference: 'england-northern-league', name: 'Northern League' },
          fixtureName: 'Athletic v Wanderers',
          listedKeys: [],
          participant: 'athletic',
        },
        ...{
          sides: { home: 'Athletic', away: 'Wanderers' },
          bookmakerName: 'bet365',
          priceAt: '2026-03-09T09:00:00.000Z',
        },
      });
      expect(kept.get(tips.runner)?.legs[0]).toMatchObject({
        details: { sport: 'horse-racing', sides: null, participant: 'tin-whistle', fixtureName: '20:00 Ayr' },
        eachWayTerms: { places: 3 },
      });
    }),
  );

  test(
    'of tips from before is what the record has, with the details that it lacks, when the migration has run, and nobody changes it afterwards',
    undone(async () => {
      const { tips } = await publishAll();
      const kept = await readKept();
      const migration = readFileSync(path.resolve('migrations/0021-sealed-publications.sql'), 'utf8');
      await asOwner(sql`alter table tip drop column publication`);
      // As the first format had them, some under a name that only the record knows any more.
      const withoutDetails = (publication: string) =>
        `jsonb_set(${publication}, '{legs}', (select jsonb_agg(leg - 'details') from jsonb_array_elements(${publication} -> 'legs') leg))`;
      await asOwner(
        sql.raw(
          `update ledger_entry set entry = jsonb_set(entry::jsonb, '{content}', ${withoutDetails("entry::jsonb -> 'content'")})::text where kind = 'tip-published'`,
        ),
        { unguarded: 'ledger_entry' },
      );
      await asOwner(sql.raw(`update tip_commitment set publication = ${withoutDetails('publication::jsonb')}::text`), {
        unguarded: 'tip_commitment',
      });
      await asOwner(sql`update selection set name = 'Athletic of another name' where name = 'Athletic'`, {
        unguarded: 'selection',
      });
      await asOwner(sql.raw(migration));
      const after = await readKept();
      const { personal, ...recorded } = tips;
      for (const reference of Object.values(recorded)) expect(after.get(reference)).toEqual(kept.get(reference));
      const [first, second] = kept.get(personal)?.legs ?? [];
      expect(after.get(personal)).toEqual({
        ...kept.get(personal),
        legs: [{ ...first, selection: { key: 'home', name: 'Athletic of another name' } }, second],
      });
      await expect(asOwner(sql`update tip set publication = publication`)).rejects.toThrow('never changed or deleted');
    }),
  );
});
