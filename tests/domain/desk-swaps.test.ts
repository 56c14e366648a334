import { sql } from 'kysely';
import type { Viewer } from '@/lib/access/schema';
import { guest } from '@/lib/http/viewer';
import { database } from '@/lib/platform/database';
import { isFailure } from '@/lib/platform/errors';
import { abandonPortfolio, changePortfolio } from '@/lib/portfolios/commands';
import { getManagedPortfolio } from '@/lib/portfolios/queries';
import { getOwnPost } from '@/lib/posts/queries';
import { PortfolioVisibility } from '@/lib/reference/schema';
import { onTestDatabase } from '../support/database';
import { join, offer, openShop } from '../support/members';
import { editPost, publishPost, publishTip } from '../support/moments';
import { trialSize } from '../support/trial-size';
import { worldNow } from '../support/world';

onTestDatabase();

type Own = { owner: Viewer; reference: string; post: string; tip: string };

const swaps = trialSize('SWAPS', 600);
const kinds = [
  PortfolioVisibility.public,
  PortfolioVisibility.premium,
  PortfolioVisibility.personal,
  PortfolioVisibility.hidden,
];

/** The same numbers in each run, so that what is found can be found again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

// Everything that an owner’s call could have changed.
async function everything(): Promise<unknown> {
  const tables = ['portfolio', 'post', 'post_tip', 'post_version', 'tip', 'named_write'];
  return Promise.all(
    tables.map(
      async (table) =>
        (
          await sql`select md5(string_agg(stored::text, '|' order by stored::text)) as sum, count(*)::int from ${sql.table(table)} stored`.execute(
            database(),
          )
        ).rows,
    ),
  );
}

test(`of ${swaps} random swaps of references between accounts none reaches anything`, async () => {
  const legs = [await offer('athletic-v-wanderers-2026-03-10', 'match-result', 'home', 'bet365')];
  const shops: Own[] = [];
  for (const [index, visibility] of [...kinds, ...kinds].entries()) {
    const { owner, reference } = await openShop(`owner-${index}`, { name: `Shop ${index}`, visibility }, worldNow);
    const tip = (
      await publishTip(
        owner,
        reference,
        { idempotencyKey: 'a', legs, stakeHundredths: 100, hidden: true, analysis: `canary-${index}` },
        worldNow,
      )
    ).reference;
    const post = (
      await publishPost(
        owner,
        reference,
        { idempotencyKey: 'a', title: 'A post', body: `canary-${index}`, tips: [tip] },
        worldNow,
      )
    ).reference;
    shops.push({ owner, reference, post, tip });
  }
  const strangers: Viewer[] = [guest(), await join('stranger', worldNow)];
  const before = await everything();
  const pick = numbers(20_261_121);
  const one = <T>(all: readonly T[]): T => all[pick(all.length)] as T;
  const reached: string[] = [];
  const written = { title: 'Taken', body: 'Taken over.' };

  for (let swap = 0; swap < swaps; swap += 1) {
    const asking = pick(4) === 0 ? null : one(shops);
    const viewer = asking?.owner ?? one(strangers);
    const asked = one(shops.filter((shop) => shop !== asking));
    // Now and then the portfolio is one’s own, and what is in it somebody else’s.
    const isOwnPortfolio = asking !== null && pick(3) === 0;
    const portfolio = isOwnPortfolio ? asking : asked;
    const key = `swap-${swap}`;
    const inOther: [string, () => Promise<unknown>][] = [
      [
        'edit',
        () =>
          editPost(
            viewer,
            { portfolioReference: portfolio.reference, reference: asked.post, input: { ...written, version: 1 }, key },
            worldNow,
          ),
      ],
      ['read own post', () => getOwnPost(viewer, portfolio.reference, asked.post, worldNow)],
      [
        'post with a tip',
        () =>
          publishPost(viewer, portfolio.reference, { ...written, idempotencyKey: key, tips: [asked.tip] }, worldNow),
      ],
    ];
    const ofOther: [string, () => Promise<unknown>][] = [
      [
        'change',
        () =>
          changePortfolio(
            viewer,
            { reference: asked.reference, name: 'Taken', welcomeMessage: 'Taken' },
            key,
            worldNow,
          ),
      ],
      ['manage', () => getManagedPortfolio(viewer, asked.reference, worldNow)],
      ['abandon', () => abandonPortfolio(viewer, asked.reference, key, worldNow)],
      ['post', () => publishPost(viewer, asked.reference, { ...written, idempotencyKey: key }, worldNow)],
      ['tip', () => publishTip(viewer, asked.reference, { idempotencyKey: key, legs, stakeHundredths: 100 }, worldNow)],
    ];
    const [name, call] = one(isOwnPortfolio ? inOther : [...inOther, ...ofOther]);
    try {
      await call();
      reached.push(`${swap}: ${name} of ${asked.reference}`);
    } catch (error) {
      const isRefusal = ['missing', 'forbidden', 'unauthorised', 'invalid'].some((kind) =>
        isFailure(error, kind as 'missing'),
      );
      if (!isRefusal || JSON.stringify(error).includes('canary'))
        reached.push(`${swap}: ${name} of ${asked.reference}: ${String(error)}`);
    }
  }
  expect(reached).toEqual([]);
  expect(await everything()).toEqual(before);
}, 300_000);
