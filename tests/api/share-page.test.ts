import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { sql } from 'kysely';
import { cardVersion, readCard } from '@/lib/pages/share-cards';
import { forgetEverything } from '@/lib/platform/cache';
import { database } from '@/lib/platform/database';
import { createPortfolio } from '@/lib/portfolios/commands';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { standAt } from '../support/clock';
import { onTestDatabase } from '../support/database';
import { openShop } from '../support/members';
import { describeCall } from '../support/request';
import { worldNow } from '../support/world';
import { publishPost } from '../support/moments';

// The renderer comes as a module that Jest cannot load; tests/e2e/found.test.ts looks at real pictures. Here is what it is given to draw.
jest.mock('next/og', () => ({
  ImageResponse: class extends Response {
    constructor(element: ReactElement, { width, height }: { width: number; height: number }) {
      super(`${width}x${height} ${renderToStaticMarkup(element)}`);
    }
  },
}));

onTestDatabase();

let shop: Awaited<ReturnType<typeof openShop>>;
const posts: Record<'open' | 'members', string> = { open: '', members: '' };

beforeAll(async () => {
  standAt(worldNow);
  shop = await openShop('ann', { name: 'Ann Football', visibility: PortfolioVisibility.premium }, worldNow);
  for (const kind of ['open', 'members'] as const)
    posts[kind] = (
      await publishPost(
        shop.owner,
        shop.reference,
        { idempotencyKey: kind, title: `A post: ${kind}`, body: `Words of ${kind}.`, premiumOnly: kind === 'members' },
        worldNow,
      )
    ).reference;
});

describeCall('/share/page/{kind}/{reference}/{version}', 'GET', (ask, call) => {
  const draw = async (kind: string, reference: string) =>
    ask({ params: { kind, reference, version: cardVersion(await readCard(kind, reference, worldNow)) } });

  test.each([
    ['site', 'tipledger', /Tips with a record anyone can check/],
    ['sport', 'football', /Football tips and odds.*Fixtures in seven days/],
    ['league', 'england-northern-league', /Northern League.*England · Football.*Fixtures in seven days.*>2</],
    ['team', 'football~rovers', /Rovers.*Northern League · Football.*Fixtures in 30 days.*>1</],
    ['fixture', 'athletic-v-wanderers-2026-03-10', /Athletic v Wanderers.*best odds.*Athletic.*2\.50.*Draw.*Wanderers/],
    ['fixture', 'rovers-v-town-2026-03-07', /Rovers v Town.*Result.*2–1/],
    ['tipster', 'ann-football', /Ann Football.*Settled tips.*>0</],
  ])('draws the page of a %s, %s, with what it says', async (kind, reference, words) => {
    const { status, headers, text } = await draw(kind, reference);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(text).toMatch(/^1200x630 /);
    expect(text).toMatch(words);
  });

  test('draws a fixture that is postponed without the start that does not hold', async () => {
    const reference = 'athletic-v-wanderers-2026-03-10';
    const postpone = async (by: string | null) => {
      await sql`update fixture set postponed_by = ${by} where reference = ${reference}`.execute(database());
      forgetEverything();
    };
    await postpone('demo');
    try {
      const { text } = await draw('fixture', reference);
      expect(text).toMatch(/Athletic v Wanderers.*Postponed ·/);
      expect(text).not.toContain('10 Mar');
    } finally {
      await postpone(null);
    }
  });

  test('draws a post, and of one for members no word but its title', async () => {
    expect((await draw('post', `ann-football~${posts.open}`)).text).toMatch(/A post: open.*Words of open/);
    const { text } = await draw('post', `ann-football~${posts.members}`);
    expect(text).toMatch(/For members.*A post: members/);
    expect(text).not.toContain('Words of');
  });

  test('leads from every other version to the right one', async () => {
    const { status, headers } = await call(new Request('http://localhost/api/share'), {
      params: Promise.resolve({ kind: 'tipster', reference: 'ann-football', version: '000000000000' }),
    });
    const version = cardVersion(await readCard('tipster', 'ann-football', worldNow));
    expect([status, headers.get('location')]).toEqual([302, `/api/share/page/tipster/ann-football/${version}`]);
  });

  test('has no picture of what there is not, or is not for everybody', async () => {
    const own = await createPortfolio(
      shop.owner,
      { name: 'Ann alone', visibility: PortfolioVisibility.personal },
      worldNow,
    );
    for (const [kind, reference] of [
      ['tipster', own.reference],
      ['tipster', 'nobody'],
      ['sport', 'australian-rules'],
      ['fixture', 'nothing'],
      ['league', 'nothing'],
      ['team', 'rovers'],
      ['team', 'tennis~rovers'],
      ['team', 'australian-rules~rovers'],
      ['team', 'football~nobody'],
      ['post', 'ann-football'],
      ['constructor', 'x'],
      ['pages', 'about-us'],
    ] as const)
      expect([kind, reference, (await ask({ params: { kind, reference, version: '0123456789ab' } })).status]).toEqual([
        kind,
        reference,
        404,
      ]);
  });

  test.each([
    ['a version', { kind: 'sport', reference: 'football', version: 'x' }],
    ['a reference', { kind: 'sport', reference: '../football', version: '0123456789ab' }],
    ['two of them', { kind: 'team', reference: 'football~~rovers', version: '0123456789ab' }],
    ['a kind', { kind: 'Sport', reference: 'football', version: '0123456789ab' }],
  ])('refuses %s that cannot be one', async (_, params) => {
    expect((await ask({ params })).status).toBe(400);
  });
});
