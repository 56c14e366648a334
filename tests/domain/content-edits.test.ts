import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { publishDueContent, storeContent } from '@/lib/content/commands';
import { restoreContent, saveContent, withdrawContent } from '@/lib/content/commands/edit';
import { putBackContent, takeOffContent } from '@/lib/content/commands/take-off';
import { countChangedFiles, getContent, getEditable, listBrokenLinks, listContent } from '@/lib/content/queries';
import { indexSearch } from '@/lib/search/commands';
import { checkDraft } from '@/lib/content/queries/checks';
import { listEditable } from '@/lib/content/queries/versions';
import { whyNoPage } from '@/lib/redirects';
import { differencesOf, linesOfPage } from '@/lib/content/rules';
import { database } from '@/lib/platform/database';
import { decidedAt } from '@/lib/platform/moment';
import { Role } from '@/lib/reference/schema';
import { listStaffActions } from '@/lib/staff/queries';
import { storeBookmakers } from '@/lib/reference/commands';
import { listSitemapNews, readSitemapPart, search } from '@/lib/search/queries';
import { guest } from '@/lib/http/viewer';
import type { SitemapEntry } from '@/lib/search/schema/sitemap';
import { samples, withProject } from '../support/content-samples';
import { onTestDatabase, undone } from '../support/database';
import { openStaff } from '../support/accounts';
import { worldNow } from '../support/world';

onTestDatabase();

const kind = 'betting-terms';
const reference = 'overround';
const file = 'betting-terms/overround.md';
const later = (hours: number) => new Date(worldNow.getTime() + hours * 3_600_000);

async function store(files: Record<string, string> = samples, release = 'one'): Promise<void> {
  await storeBookmakers();
  await withProject(files, async (folder) => void (await storeContent(folder, { demo: true, release }, worldNow)));
}

const draft = (more: Record<string, unknown> = {}) => ({
  title: 'Overround in plain words',
  summary: 'What staff say of the overround in a sentence, long enough for search engines.',
  demo: false,
  body: 'As staff wrote it. See the [margin](/betting-terms/margin).',
  facts: { term: 'Overround', seeAlso: ['margin'] },
  ...more,
});

const order = { reason: 'Say it more plainly', preview: false };
const page = { kind, reference, whyNoPage } as const;
const joinStaff = async (name: string) => (await openStaff(name, Role.admin, worldNow)).viewer;

const publishing = (after: number, publishAt: Date | null | 'draft' = null) => ({
  after,
  when: publishAt === null ? ('now' as const) : publishAt === 'draft' ? ('draft' as const) : ('at' as const),
  publishAt: publishAt instanceof Date ? publishAt.toISOString().slice(0, 19) : '',
});

const save = (
  viewer: Viewer,
  after: number,
  more: Record<string, unknown> = {},
  publishAt: Date | null | 'draft' = null,
  preview = false,
) =>
  decidedAt(worldNow, () =>
    saveContent(viewer, page, { ...order, preview }, publishing(after, publishAt), draft(more)),
  );
const restore = (viewer: Viewer, after: number, version: number | null) =>
  decidedAt(worldNow, () => restoreContent(viewer, page, order, publishing(after), version));
const topics = async () =>
  new Map(
    (
      await sql<{ topic: string; version: string }>`select topic, version::text as version from cache_version`.execute(
        database(),
      )
    ).rows.map(({ topic, version }) => [topic, version]),
  );
const shown = async () => (await getContent(kind, reference)).title;

describe('an edit of a page', () => {
  test(
    'is public at once, is a version with who and why, and its cached pages are forgotten',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      expect(await save(ann, 0)).toMatchObject({
        entry: expect.any(Number),
        after: { Version: 1, 'Public at': worldNow.toISOString() },
      });
      expect(await getContent(kind, reference)).toMatchObject({
        title: 'Overround in plain words',
        publishedOn: '2026-03-01',
        updatedOn: worldNow.toISOString().slice(0, 10),
      });
      expect(await getEditable(kind, reference)).toMatchObject({
        source: 'edit',
        fileChanged: false,
        history: [{ version: 1, author: 'ann-staff', reason: 'Say it more plainly', state: 'published' }],
      });
      const { rows } = await sql<{
        topic: string;
      }>`select topic from cache_version where topic like 'content%'`.execute(database());
      expect(rows.map(({ topic }) => topic)).toEqual(expect.arrayContaining(['content', `content:${kind}`]));
    }),
  );

  test(
    'of two who saw the same version only the first is kept; the other is told',
    undone(async () => {
      await store();
      const [ann, bob] = [await joinStaff('ann-staff'), await joinStaff('bob-staff')];
      await save(ann, 0);
      await expect(save(bob, 0, { title: 'What Bob says' })).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringMatching(/^ann-staff saved this page meanwhile/),
      });
      expect(await save(bob, 1, { title: 'What Bob says' })).toMatchObject({ after: { Version: 2 } });
      expect(await shown()).toBe('What Bob says');
    }),
  );

  test(
    'waits for its date, also when the program was away at that moment, and then the sitemap says so',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      expect(await save(ann, 0, {}, later(48))).toMatchObject({ after: { 'Public at': later(48).toISOString() } });
      expect(await shown()).toBe('What is overround?');
      expect(await publishDueContent(later(47))).toBe(0);
      expect(await publishDueContent(later(90))).toBe(1);
      expect(await publishDueContent(later(90))).toBe(0);
      expect(await shown()).toBe('Overround in plain words');
      const entries: SitemapEntry[] = [];
      for await (const batch of await readSitemapPart('content-1', later(90))) entries.push(...batch);
      expect(entries.find(({ path }) => path === '/betting-terms/overround')?.changedAt).toBe(
        `${later(90).toISOString().slice(0, 10)}T00:00:00.000Z`,
      );
    }),
  );

  test(
    'that waits gives way to a newer one that is public, and is withdrawn by staff only while it waits',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await save(ann, 0, { title: 'For tomorrow' }, later(24));
      await save(ann, 1, { title: 'For now' });
      expect(await publishDueContent(later(25))).toBe(0);
      expect(await shown()).toBe('For now');
      await save(ann, 2, { title: 'For next week' }, later(200));
      await withdrawContent(ann, page, order, 3);
      await expect(withdrawContent(ann, page, order, 3)).rejects.toMatchObject({ kind: 'conflict' });
      expect(await publishDueContent(later(300))).toBe(0);
      expect((await getEditable(kind, reference)).history.map(({ state }) => state)).toEqual([
        'withdrawn',
        'published',
        'superseded',
      ]);
    }),
  );

  test(
    'is refused for a date that has passed, a link that leads nowhere, an unknown term, and whoever is no staff',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await expect(save(ann, 0, {}, later(-1))).rejects.toMatchObject({ kind: 'invalid' });
      await expect(save(ann, 0, { body: 'See [this](/betting-terms/nothing).' })).rejects.toMatchObject({
        message: expect.stringMatching(/\/betting-terms\/nothing leads to no page/),
      });
      await expect(save(ann, 0, { facts: { term: 'Overround', seeAlso: ['nobody'] } })).rejects.toMatchObject({
        kind: 'invalid',
      });
      await expect(save({ ...ann, role: 0 } as Viewer, 0)).rejects.toMatchObject({ kind: 'forbidden' });
      expect((await checkDraft(kind, reference, draft({ body: 'It is risk-free.' }), whyNoPage)).warnings).toHaveLength(
        1,
      );
      expect(await shown()).toBe('What is overround?');
    }),
  );

  test(
    'can be undone by going back to an older version, or to the file, which it then follows',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await save(ann, 0);
      await save(ann, 1, { title: 'Second thoughts' });
      await restore(ann, 2, 1);
      expect(await shown()).toBe('Overround in plain words');
      await restore(ann, 3, null);
      expect(await shown()).toBe('What is overround?');
      expect(await getEditable(kind, reference)).toMatchObject({ source: 'file', versions: 4 });
      await store({ ...samples, [file]: samples[file].replace('What is overround?', 'Overround explained') });
      expect(await shown()).toBe('Overround explained');
      const toEdit = async () => (await getEditable(kind, reference)).toEdit?.title;
      expect(await toEdit()).toBe('Overround explained');
      await save(ann, 4, { title: 'A draft' }, 'draft');
      expect(await toEdit()).toBe('A draft');
      await withdrawContent(ann, page, order, 5);
      expect(await toEdit()).toBe('Overround explained');
    }),
  );

  test(
    'that waits is what the editor opens with, also after a newer draft was withdrawn',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await save(ann, 0, { title: 'For next week' }, later(200));
      await save(ann, 1, { title: 'A draft' }, 'draft');
      await withdrawContent(ann, page, order, 2);
      expect((await getEditable(kind, reference)).toEdit?.title).toBe('For next week');
      await withdrawContent(ann, page, order, 1);
      expect((await getEditable(kind, reference)).toEdit?.title).toBe('What is overround?');
    }),
  );

  test(
    'is left alone by a release that changed its file, and staff are told with the difference',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await save(ann, 0);
      expect(await countChangedFiles()).toBe(0);
      await store({ ...samples, [file]: samples[file].replace('What is overround?', 'Overround explained') }, 'two');
      expect(await shown()).toBe('Overround in plain words');
      expect(await countChangedFiles()).toBe(1);
      expect(
        (await listEditable(ann, { kind: null, text: null, only: 'file-changed', after: null, limit: 50 })).rows,
      ).toMatchObject([{ reference, fileChanged: true }]);
      const { shown: text, file: source } = await getEditable(kind, reference);
      if (!text || !source) throw new Error('The page has lost its text or its file.');
      expect(differencesOf(linesOfPage(source), linesOfPage(text))).toEqual(
        expect.arrayContaining([
          { kind: 'removed', text: 'title: Overround explained' },
          { kind: 'added', text: 'title: Overround in plain words' },
        ]),
      );
      await save(ann, 1, { title: 'Overround explained' });
      expect(await countChangedFiles()).toBe(0);
    }),
  );

  test(
    'cannot be changed or removed by anybody afterwards',
    undone(async () => {
      await store();
      await save(await joinStaff('ann-staff'), 0);
      await expect(sql`update content_version set reason = 'Another'`.execute(database())).rejects.toThrow();
    }),
  );

  test(
    'makes a page that has no file',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      const text = draft({
        facts: { sport: null },
        summary: 'What staff say in an article of their own, long enough for search engines.',
      });
      const fresh = { kind: 'articles', reference: 'by-staff', whyNoPage } as const;
      await decidedAt(worldNow, () => saveContent(ann, fresh, order, publishing(0), text));
      expect(await getContent('articles', 'by-staff')).toMatchObject({ publishedOn: '2026-03-10', updatedOn: null });
      const alone = draft({
        facts: {},
        summary: 'A page of its own with a summary, long enough for search engines.',
      });
      await expect(
        decidedAt(worldNow, () => saveContent(ann, { ...fresh, kind: 'pages' }, order, publishing(0), alone)),
      ).rejects.toMatchObject({ kind: 'missing' });
    }),
  );

  test(
    'is tried without a trace, kept as a draft until somebody publishes it, and written into the log of staff',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      expect(await save(ann, 0, {}, null, true)).toMatchObject({
        entry: null,
        after: { Differences: expect.stringContaining('+ title: Overround in plain words') },
      });
      expect((await getEditable(kind, reference)).history).toEqual([]);
      await save(ann, 0, {}, 'draft');
      expect(await publishDueContent(later(1_000_000))).toBe(0);
      expect((await getEditable(kind, reference)).history).toMatchObject([{ version: 1, state: 'draft' }]);
      await restore(ann, 1, 1);
      expect(await shown()).toBe('Overround in plain words');
      const log = await listStaffActions(ann, { subject: { kind: 'content', id: `${kind}/${reference}` }, limit: 10 });
      expect(log.map(({ action, reason }) => [action, reason])).toEqual([
        ['content.restore', order.reason],
        ['content.save', order.reason],
      ]);
    }),
  );
});

describe('a text that only staff wrote', () => {
  const own = { kind: 'articles', reference: 'by-staff', whyNoPage } as const;
  const text = draft({
    facts: { sport: null },
    summary: 'What staff say in an article of their own, long enough for search engines.',
  });
  const publish = (viewer: Viewer, after = 0, more: Record<string, unknown> = {}, at = worldNow) =>
    decidedAt(at, () => saveContent(viewer, own, order, publishing(after), { ...text, ...more }));
  const takeOff = (viewer: Viewer, after: number, { preview = false, at = later(48) } = {}) =>
    decidedAt(at, () => takeOffContent(viewer, own, { ...order, preview }, after));
  const putBack = (viewer: Viewer, after: number, at = later(72)) =>
    decidedAt(at, () => putBackContent(viewer, own, order, after));
  const isThere = async () =>
    getContent('articles', 'by-staff').then(
      () => true,
      (error: { kind?: string }) => error.kind !== 'missing',
    );
  const everywhere = async () => {
    const sitemap: SitemapEntry[] = [];
    for await (const batch of await readSitemapPart('content-1', worldNow)) sitemap.push(...batch);
    const listed = (await listContent('articles', { skip: 0 })).items.map(({ reference: each }) => each);
    const found = await search(guest(), { text: 'overround plain words', kind: 'page', limit: 50 }, worldNow);
    const related = (await getContent('betting-terms', 'margin').catch(() => null))?.related ?? [];
    return {
      listed: listed.includes('by-staff'),
      sitemap: sitemap.some(({ path }) => path === '/articles/by-staff'),
      search: found.groups.some(({ hits }) => hits.some(({ path }) => path === '/articles/by-staff')),
      related: related.some(({ reference: each }) => each === 'by-staff'),
      news: (await listSitemapNews(later(24))).some(({ path }) => path === '/articles/by-staff'),
    };
  };

  test(
    'is taken off the site everywhere at once, and comes back as it was with its first day',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await publish(ann);
      await indexSearch(worldNow);
      expect(await everywhere()).toMatchObject({ listed: true, search: true });
      expect(await takeOff(ann, 1, { preview: true })).toMatchObject({ entry: null, after: { Public: false } });
      expect(await isThere()).toBe(true);
      const before = await topics();
      expect(await takeOff(ann, 1)).toMatchObject({ entry: expect.any(Number), before: { Public: true } });
      expect(await isThere()).toBe(false);
      expect(await everywhere()).toEqual({ listed: false, sitemap: false, search: false, related: false, news: false });
      for (const topic of ['content', 'content:articles', 'search'])
        expect((await topics()).get(topic)).not.toBe(before.get(topic));
      expect(await getEditable('articles', 'by-staff')).toMatchObject({
        isOff: true,
        shown: null,
        toEdit: { title: text.title },
        history: [{ version: 2, takesOff: true, state: 'published' }, { version: 1 }],
      });
      expect(
        (await listEditable(ann, { kind: null, text: null, only: 'off', after: null, limit: 50 })).rows,
      ).toMatchObject([{ reference: 'by-staff' }]);
      expect(await putBack(ann, 2)).toMatchObject({ entry: expect.any(Number) });
      expect(await getContent('articles', 'by-staff')).toMatchObject({
        title: text.title,
        body: text.body,
        publishedOn: '2026-03-10',
        updatedOn: '2026-03-13',
      });
      await expect(putBack(ann, 3)).rejects.toMatchObject({ kind: 'missing' });
      const log = await listStaffActions(ann, { subject: { kind: 'content', id: 'articles/by-staff' }, limit: 10 });
      expect(log.map(({ action }) => action)).toEqual(['content.put-back', 'content.take-off', 'content.save']);
    }),
  );

  test(
    'is not brought back by a version that waited, by a draft, by a start of the program or by a release that has a file of that name',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await publish(ann);
      await decidedAt(worldNow, () =>
        saveContent(ann, own, order, publishing(1, later(60)), { ...text, title: 'Waits' }),
      );
      await decidedAt(worldNow, () =>
        saveContent(ann, own, order, publishing(2, 'draft'), { ...text, title: 'A draft' }),
      );
      await takeOff(ann, 3);
      expect(await publishDueContent(later(1_000))).toBe(0);
      await store(samples, 'two');
      const article = `---
title: By a release
summary: "Another summary of an article, which comes with a release of the program."
published: 2026-03-01
---

Text.
`;
      await store({ ...samples, 'articles/by-staff.md': article }, 'three');
      expect(await isThere()).toBe(false);
      // What staff publish there is theirs again.
      await putBack(ann, 4);
      expect(await isThere()).toBe(true);
    }),
  );

  test(
    'that others link to is taken off with their names said before, and they are told of until somebody puts them right',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await publish(ann);
      const links = 'See [this](/articles/by-staff#more) and the [margin](/betting-terms/margin).';
      await save(ann, 0, { body: links });
      expect(await listBrokenLinks(whyNoPage)).toEqual([]);
      expect(await takeOff(ann, 1, { preview: true })).toMatchObject({
        after: { 'Links that will lead nowhere': 'Overround in plain words (/betting-terms/overround)' },
      });
      await takeOff(ann, 1);
      expect(await listBrokenLinks(whyNoPage)).toEqual([{ kind, reference, links: ['/articles/by-staff#more'] }]);
      await expect(save(ann, 1, { body: links })).rejects.toThrow('The link /articles/by-staff#more leads to no page');
      await save(ann, 1);
      expect(await listBrokenLinks(whyNoPage)).toEqual([]);
    }),
  );

  test(
    'is not put back where it links to what is gone since; one that has a file, or is not public, is not taken off',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      const other = { kind: 'articles', reference: 'the-other', whyNoPage } as const;
      const second = { ...text, summary: 'What staff say in another article of their own, long enough for engines.' };
      await decidedAt(worldNow, () => saveContent(ann, other, order, publishing(0), second));
      await publish(ann, 0, { body: 'See [the other](/articles/the-other).' });
      await takeOff(ann, 1);
      await decidedAt(later(50), () => takeOffContent(ann, other, order, 1));
      await expect(putBack(ann, 2)).rejects.toMatchObject({ kind: 'invalid' });
      await expect(decidedAt(later(50), () => takeOffContent(ann, page, order, 0))).rejects.toMatchObject({
        kind: 'conflict',
      });
      await expect(takeOff(ann, 2)).rejects.toMatchObject({ kind: 'missing' });
    }),
  );

  test(
    'opens in the editor with what the public last read, whatever was withdrawn since',
    undone(async () => {
      await store();
      const ann = await joinStaff('ann-staff');
      await publish(ann, 0, { title: 'Read by all' });
      await takeOff(ann, 1);
      await decidedAt(later(50), () =>
        saveContent(ann, own, order, publishing(2, 'draft'), { ...text, title: 'A draft' }),
      );
      const toEdit = async () => (await getEditable('articles', 'by-staff')).toEdit?.title;
      expect(await toEdit()).toBe('A draft');
      await decidedAt(later(51), () => withdrawContent(ann, own, order, 3));
      expect(await toEdit()).toBe('Read by all');
    }),
  );

  test('of two who take it off at once one does, and of one who edits it and one who takes it off the second is told', async () => {
    await store();
    const [ann, bob] = [await joinStaff('ann-staff'), await joinStaff('bob-staff')];
    await publish(ann);
    const both = await Promise.allSettled([takeOff(ann, 1), takeOff(bob, 1)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await putBack(ann, 2);
    const mixed = await Promise.allSettled([takeOff(ann, 3), publish(bob, 3, { title: 'Edited meanwhile' })]);
    expect(mixed.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await isThere()).toBe(mixed[1]?.status === 'fulfilled');
  });
});
