import { sql } from 'kysely';
import sharp from 'sharp';
import type { IssuedSession } from '@/lib/accounts/schema';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { portfolioReferenceSchema } from '@/lib/portfolios/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { bearer, logIn, openAccount, viewerOf } from '../support/accounts';
import { standAt } from '../support/clock';
import { asOwner, onTestDatabase, undone } from '../support/database';
import { countQueries } from '../support/queries';
import { type Ask, describeCall, hostileTexts } from '../support/request';
import { worldNow } from '../support/world';
import { sellMonthly } from '../support/members';
import { publishPost } from '../support/moments';

onTestDatabase();

const logins: Record<string, IssuedSession> = {};
const as = (name: string, key = 'one') => ({ ...bearer(logins[name] ?? { token: '' }), 'idempotency-key': key });
const guest = { 'idempotency-key': 'one' };
const ann = { reference: 'ann-football' };
let post = '';

beforeAll(async () => {
  standAt(worldNow);
  for (const name of ['ann', 'dan', 'eve', 'bob', 'newcomer'])
    logins[name] = await logIn(await openAccount(name, { confirmed: name !== 'newcomer' }, worldNow), worldNow);
  const open = async (owner: string, name: string, visibility: PortfolioVisibility) =>
    createPortfolio(await viewerOf(logins[owner] as IssuedSession, worldNow), { name, visibility }, worldNow);
  await sellMonthly((await open('ann', 'Ann Football', PortfolioVisibility.premium)).id, worldNow);
  await open('ann', 'Ann second', PortfolioVisibility.public);
  await open('dan', 'Dan Darts', PortfolioVisibility.public);
  await open('eve', 'Eve alone', PortfolioVisibility.personal);
  post = (
    await publishPost(
      await viewerOf(logins.ann as IssuedSession, worldNow),
      ann.reference,
      { idempotencyKey: 'a', title: 'The week', body: 'Some *words*.' },
      worldNow,
    )
  ).reference;
});

const count = async (table: string) =>
  (await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(database())).rows[0]
    ?.count;

/** Spec §6: what somebody else’s portfolio, and one that is not there, answers to a call of its owner. */
function isForTheOwner(ask: Ask, sent: (reference: string) => Parameters<Ask>[0]): void {
  test.each([
    ['guest', 401],
    ['newcomer', 403],
    ['bob', 403],
    ['dan', 403],
  ])('refuses %s with %i', async (name, expected) => {
    expect((await ask({ ...sent('ann-football'), headers: name === 'guest' ? guest : as(name) })).status).toBe(
      expected,
    );
  });

  test.each(['nobody', 'eve-alone'])('says that %s is missing', async (reference) => {
    expect((await ask({ ...sent(reference), headers: as('ann') })).status).toBe(404);
  });
}

describeCall('/user/portfolio', 'POST', (ask) => {
  test('creates a portfolio whose reference is made from its name, once for one key', () =>
    undone(async () => {
      const body = {
        name: ' Bob’s \u202etips ',
        visibility: PortfolioVisibility.premium,
        description: 'What *I* do.',
        welcomeMessage: 'Hello.',
      };
      const first = await ask({ headers: as('bob'), body });
      expect([first.status, first.view]).toEqual([201, { reference: 'bobs-tips' }]);
      expect((await ask({ headers: as('bob'), body })).view).toEqual(first.view);
      expect((await ask({ headers: as('bob'), body: { ...body, name: 'Other' } })).status).toBe(409);
      expect((await ask({ headers: as('bob', 'two'), body })).view).toEqual({ reference: 'bobs-tips-2' });
      expect((await ask({ headers: as('dan'), body })).view).toEqual({ reference: 'bobs-tips-3' });
    })());

  test('takes the names of the managed portfolio too, and is the same by either', () =>
    undone(async () => {
      const names = { type: PortfolioVisibility.premium, defaultTipStake: 1.15 };
      const first = await ask({ headers: as('bob'), body: { name: 'Bob by type', ...names } });
      expect([first.status, first.view]).toEqual([201, { reference: 'bob-by-type' }]);
      const { rows } = await sql`
        select visibility, default_tip_stake_hundredths as stake from portfolio where reference = 'bob-by-type'
      `.execute(database());
      expect(rows).toEqual([{ visibility: PortfolioVisibility.premium, stake: 115 }]);
      const other = { visibility: PortfolioVisibility.premium, defaultTipStakeHundredths: 115 };
      expect((await ask({ headers: as('bob'), body: { name: 'Bob by type', ...other } })).view).toEqual(first.view);
    })());

  test('says which of two names of one thing to leave out', async () => {
    const body = { name: 'Bob', defaultTipStake: 1, defaultTipStakeHundredths: 100 };
    expect((await ask({ headers: as('bob'), body })).refusal?.fields).toEqual({
      defaultTipStake: 'send defaultTipStake or defaultTipStakeHundredths, not both',
    });
  });

  test('asks a few times for a name that many have, however many they are, and then adds letters', () =>
    undone(async () => {
      const name = `Longest name ${'of them all '.repeat(4)}`.trim();
      const base = name.toLowerCase().replaceAll(' ', '-').slice(0, 56);
      await sql`
        insert into portfolio (reference, owner_id, name, visibility, created_at)
        select ${base} || case when copy = 1 then '' else '-' || copy end, account.id, ${name}, ${PortfolioVisibility.public}::smallint, ${worldNow}::timestamptz
        from account, generate_series(1, 300) copy where username = 'dan'
      `.execute(database());
      const bob = await viewerOf(logins.bob as IssuedSession, worldNow);
      const made: string[] = [];
      const asked = await countQueries(async () => {
        for (let times = 0; times < 2; times += 1)
          made.push((await createPortfolio(bob, { name, visibility: PortfolioVisibility.public }, worldNow)).reference);
      });
      expect(asked).toBeLessThan(60);
      expect(new Set(made).size).toBe(2);
      for (const reference of made) {
        expect(reference).toMatch(/^longest-name-of-them-all-of-them-all-of-them-all-of-t-[a-z2-9]{6}$/);
        expect(portfolioReferenceSchema.safeParse(reference).success).toBe(true);
      }
    })());

  test.each([
    ['a name of two letters', { name: 'ab' }, 'name'],
    ['a kind that there is not', { name: 'Bob', visibility: 4 }, 'visibility'],
    ['a stake of nothing', { name: 'Bob', defaultTipStakeHundredths: 0 }, 'defaultTipStakeHundredths'],
    ['an owner', { name: 'Bob', owner: 1 }, 'body'],
    ['a type that there is not', { name: 'Bob', type: 4 }, 'type'],
    ['a default stake of half a hundredth', { name: 'Bob', defaultTipStake: 1.505 }, 'defaultTipStake'],
    ['a default stake that is too small', { name: 'Bob', defaultTipStake: 0.05 }, 'defaultTipStake'],
    ['a default stake that is too large', { name: 'Bob', defaultTipStake: 10.01 }, 'defaultTipStake'],
    ['two names of its kind', { name: 'Bob', type: 1, visibility: 1 }, 'type'],
    ['two names of its stake', { name: 'Bob', defaultTipStake: 1, defaultTipStakeHundredths: 100 }, 'defaultTipStake'],
  ])('refuses %s by its name', async (_, body, field) => {
    const { status, refusal } = await ask({ headers: as('bob'), body });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [field]]);
  });

  test.each([
    ['guest', 401],
    ['newcomer', 403],
  ])('refuses %s with %i', async (name, expected) => {
    expect((await ask({ headers: name === 'guest' ? guest : as(name), body: { name: 'Mine' } })).status).toBe(expected);
  });
});

describeCall('/user/portfolio', 'PUT', (ask) => {
  isForTheOwner(ask, (reference) => ({ body: { reference, name: 'Taken over' } }));

  test('changes what is named and nothing else', () =>
    undone(async () => {
      const { view } = await ask({
        headers: as('ann'),
        body: { ...ann, description: '# Who I am', defaultTipStakeHundredths: 250 },
      });
      expect(view).toMatchObject({
        reference: 'ann-football',
        name: 'Ann Football',
        type: PortfolioVisibility.premium,
        description: '# Who I am',
        defaultTipStake: 2.5,
      });
      await ask({ headers: as('ann', 'two'), body: { ...ann, description: '' } });
      const again = await ask({
        headers: as('ann'),
        body: { ...ann, description: '# Who I am', defaultTipStakeHundredths: 250 },
      });
      expect(again.view).toEqual(view);
      const { rows } = await sql`select description from portfolio where reference = 'ann-football'`.execute(
        database(),
      );
      expect(rows).toEqual([{ description: '' }]);
    })());

  test.each([
    ['ann', 'ann-football', PortfolioVisibility.personal, 'cannot become personal'],
    ['eve', 'eve-alone', PortfolioVisibility.public, 'stays personal'],
  ])('of %s lets %s not become kind %i', async (name, reference, visibility, words) => {
    const { status, refusal } = await ask({ headers: as(name), body: { reference, visibility } });
    expect([status, refusal?.fields?.visibility]).toEqual([400, expect.stringContaining(words)]);
  });

  test('keeps the kind while members have paid, and lets it go once they have none', () =>
    undone(async () => {
      await sql`
        insert into membership (account_id, portfolio_id, starts_at, ends_at)
        select account.id, portfolio.id, ${worldNow}::timestamptz, ${worldNow}::timestamptz + interval '1 day' from account, portfolio where username = 'bob' and reference = 'ann-football'
      `.execute(database());
      const body = { ...ann, visibility: PortfolioVisibility.public };
      expect((await ask({ headers: as('ann'), body })).refusal?.fields?.visibility).toContain('members who paid');
      await asOwner(sql`delete from membership`);
      expect((await ask({ headers: as('ann'), body })).view).toMatchObject({ type: PortfolioVisibility.public });
    })());

  test('takes back what the managed portfolio answers', () =>
    undone(async () => {
      const changed = await ask({
        headers: as('ann'),
        body: { ...ann, type: PortfolioVisibility.hidden, defaultTipStake: 0.29 },
      });
      expect(changed.view).toMatchObject({ type: PortfolioVisibility.hidden, defaultTipStake: 0.29 });
      for (const body of [
        { ...ann, type: 1, visibility: 1 },
        { ...ann, defaultTipStake: 1, defaultTipStakeHundredths: 100 },
      ])
        expect((await ask({ headers: as('ann', 'two'), body })).status).toBe(400);
    })());

  test('refuses no change at all, and a change of the reference', async () => {
    expect((await ask({ headers: as('ann'), body: ann })).status).toBe(400);
    expect((await ask({ headers: as('ann'), body: { ...ann, newReference: 'x' } })).status).toBe(400);
  });
});

describeCall('/user/portfolio/{reference}', 'GET', (ask) => {
  test('gives every field of the managed portfolio', async () => {
    const { view } = await ask({ params: ann, headers: as('ann') });
    expect(view).toMatchObject({
      reference: 'ann-football',
      type: PortfolioVisibility.premium,
      followers: 0,
      followersThisWeek: 0,
      premiumMembers: 0,
      premiumMembersThisWeek: 0,
      premiumMembersExpiringThisWeek: 0,
      totalPayout: 0,
      couponId: null,
      tipledgerPro: false,
    });
  });

  test.each([
    ['guest', 401],
    ['bob', 403],
    ['dan', 403],
  ])('refuses %s with %i', async (name, expected) => {
    expect((await ask({ params: ann, headers: name === 'guest' ? {} : as(name) })).status).toBe(expected);
  });

  test.each(hostileTexts)('refuses %s as a portfolio', async (_, reference) => {
    expect((await ask({ params: { reference }, headers: as('ann') })).status).toBe(400);
  });
});

describeCall('/user/portfolio/{reference}/abandon', 'POST', (ask) => {
  isForTheOwner(ask, (reference) => ({ params: { reference } }));

  test('abandons it for good and names the next one, however often it is asked', () =>
    undone(async () => {
      const first = await ask({ params: ann, headers: as('ann') });
      expect(first.view).toEqual({ reference: 'ann-football', next: 'ann-second' });
      expect((await ask({ params: ann, headers: as('ann') })).view).toEqual(first.view);
      expect((await ask({ params: ann, headers: as('ann', 'two') })).view).toEqual(first.view);
      expect((await ask({ params: { reference: 'ann-second' }, headers: as('ann', 'three') })).view).toEqual({
        reference: 'ann-second',
        next: null,
      });
    })());
});

const written = { title: 'A post', body: 'Text.' };

describeCall('/user/portfolio/{reference}/posts/add-post', 'POST', (ask) => {
  isForTheOwner(ask, (reference) => ({ params: { reference }, body: written }));

  test('publishes a post once for one key', () =>
    undone(async () => {
      const before = await count('post');
      const first = await ask({ params: ann, headers: as('ann'), body: { ...written, premiumOnly: true } });
      expect([first.status, first.view]).toEqual([
        201,
        { reference: expect.stringMatching(/^[a-z0-9]{10}$/), publishedAt: worldNow.toISOString() },
      ]);
      expect((await ask({ params: ann, headers: as('ann'), body: { ...written, premiumOnly: true } })).view).toEqual(
        first.view,
      );
      expect(await count('post')).toBe((before ?? 0) + 1);
    })());

  test('takes the longest text in any script', () =>
    undone(async () =>
      expect(
        (await ask({ params: ann, headers: as('ann'), body: { ...written, body: '😀'.repeat(20_000) } })).status,
      ).toBe(201),
    )());

  test.each([
    ['no title', { body: 'x' }, 'title'],
    ['no text', { title: 'A post', body: ' ' }, 'body'],
    ['a stranger’s tip', { ...written, tips: ['abcdefghjk'] }, 'tips'],
  ])('refuses %s by its name', async (_, body, field) => {
    const { status, refusal } = await ask({ params: ann, headers: as('ann'), body });
    expect([status, Object.keys(refusal?.fields ?? {})]).toEqual([400, [field]]);
  });
});

describeCall('/user/portfolio/{reference}/posts/{post}', 'PUT', (ask) => {
  isForTheOwner(ask, (reference) => ({ params: { reference, post }, body: { ...written, version: 1 } }));

  test('changes the post once for one key and keeps what it said', () =>
    undone(async () => {
      const params = { ...ann, post };
      const first = await ask({ params, headers: as('ann'), body: { ...written, version: 1 } });
      expect(first.view).toEqual({ reference: post, editedAt: worldNow.toISOString(), version: 2 });
      expect((await ask({ params, headers: as('ann'), body: { ...written, version: 1 } })).view).toEqual(first.view);
      const { rows } =
        await sql`select version, title, body, username from post_version join account on account.id = written_by`.execute(
          database(),
        );
      expect(rows).toEqual([{ version: 1, title: 'The week', body: 'Some *words*.', username: 'ann' }]);
      const stale = await ask({
        params,
        headers: as('ann', 'two'),
        body: { ...written, title: 'Over it', version: 1 },
      });
      expect([stale.status, stale.refusal?.message]).toEqual([409, expect.stringContaining('changed in the meantime')]);
    })());

  test('finds no post of another portfolio, and none that is not there', async () => {
    for (const params of [
      { reference: 'ann-second', post },
      { ...ann, post: 'abcdefghjk' },
    ])
      expect((await ask({ params, headers: as('ann'), body: { ...written, version: 1 } })).status).toBe(404);
  });
});

describeCall('/user/preview', 'POST', (ask) => {
  test('gives the markup that readers will get', async () => {
    expect((await ask({ headers: as('bob'), body: { text: 'A **fair** <b>price</b>' } })).view).toEqual({
      html: '<p>A <strong>fair</strong> &lt;b&gt;price&lt;/b&gt;</p>\n',
    });
  });

  test('refuses a guest', async () => expect((await ask({ body: { text: 'x' } })).status).toBe(401));
});

const draw = () => sharp({ create: { width: 60, height: 40, channels: 3, background: '#233f8f' } });

describeCall('/user/images', 'POST', (ask) => {
  test('keeps a picture, the same one once, and says where it stands', () =>
    undone(async () => {
      const body = new Uint8Array(await draw().jpeg().toBuffer());
      const first = await ask({ headers: { ...as('bob'), 'content-type': 'image/jpeg' }, body });
      expect([first.status, first.view]).toEqual([
        201,
        { path: expect.stringMatching(/^\/api\/images\/[0-9a-f]{64}-60x40\.webp$/), width: 60, height: 40 },
      ]);
      expect((await ask({ headers: as('ann'), body })).view).toEqual(first.view);
      expect([await count('picture'), await count('picture_upload')]).toEqual([1, 2]);
    })());

  test.each([
    ['guest', 401],
    ['newcomer', 403],
  ])('refuses %s with %i', async (name, expected) => {
    expect(
      (await ask({ headers: name === 'guest' ? {} : as(name), body: new Uint8Array(await draw().png().toBuffer()) }))
        .status,
    ).toBe(expected);
  });

  test('refuses what is no picture in words', async () => {
    const { status, refusal } = await ask({
      headers: as('bob'),
      body: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    });
    expect([status, refusal?.message]).toEqual([400, expect.stringContaining('no JPEG, PNG or WebP')]);
  });
});

describeCall('/images/{file}', 'GET', (ask) => {
  test('serves a picture that never changes', () =>
    undone(async () => {
      const { doors } = await import('../support/request');
      const upload = doors['/user/images']?.POST;
      if (!upload) throw new Error('There is no call to upload by.');
      const sent = new Request('http://localhost/api/user/images', {
        method: 'POST',
        headers: as('bob'),
        body: new Uint8Array(await draw().png().toBuffer()),
      });
      const { path } = (await (await upload(sent, { params: Promise.resolve({}) })).json()) as { path: string };
      const file = path.split('/').at(-1) ?? '';
      const { status, headers } = await ask({ params: { file } });
      expect([
        status,
        headers.get('content-type'),
        headers.get('cache-control'),
        headers.get('content-disposition'),
      ]).toEqual([200, 'image/webp', 'public, max-age=31536000, immutable', `inline; filename="${file}"`]);
      expect((await ask({ params: { file: file.replace('60x40', '61x40') } })).status).toBe(404);
    })());

  test.each(hostileTexts)('refuses %s as a file', async (_, file) =>
    expect((await ask({ params: { file } })).status).toBe(400),
  );
});
