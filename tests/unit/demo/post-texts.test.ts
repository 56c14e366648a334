import { planPosts, writePost, type WrittenPost } from '@/lib/demo/post-texts';
import { type Tipster, tipstersOf } from '@/lib/demo/tipsters';
import { postInputSchema } from '@/lib/posts/schema';
import { PortfolioVisibility } from '@/lib/reference/schema';
import type { TipView } from '@/lib/tips/schema';

const hour = 3_600_000;
const began = Date.parse('2025-01-01T09:00:00.000Z');
const at = (hours: number) => new Date(began + hours * hour).toISOString();
const now = new Date(began + 48 * 60 * hour);

/** The tip of a number: published every second day, settled a day later, won or lost in turn. */
function tip(number: number, more: Partial<TipView> = {}): TipView {
  const hours = 48 * number;
  const profitHundredths = number % 2 === 0 ? 110 : -100;
  const price = { oddsThousandths: 2100, fraction: null };
  return {
    reference: `tip${String(number).padStart(7, '0')}`,
    portfolioReference: 'a',
    portfolioName: 'A',
    publishedAt: at(hours),
    firstStartsAt: at(hours + 10),
    started: true,
    stakeHundredths: 100,
    eachWay: false,
    free: true,
    hidden: false,
    legCount: 1,
    lock: null,
    legs: [
      {
        bet: `Home ${number} to beat Away ${number}`,
        fixtureReference: `fixture-${number}`,
        fixtureName: `Home ${number} v Away ${number}`,
        sportReference: 'football',
        leagueName: 'Northern League',
        startsAt: at(hours + 10),
        marketName: 'Match result',
        selectionName: `Home ${number}`,
        bookmakerName: 'Sample Bets',
        selectionId: 1,
        price,
        priceAt: at(hours),
        priceNow: null,
        bestNow: null,
        closingPrice: null,
        eachWayPlaces: null,
        eachWayFraction: null,
        finalScore: '2–0',
        outcome: 'won',
        rule: null,
        score: { status: 'complete', finalScore: { displayName: '2–0', homeTeamScore: 2, awayTeamScore: 0 } },
        postponedUntil: null,
      },
    ],
    totalOddsThousandths: 2100,
    minPrice: null,
    analysis: '',
    settlements: [
      {
        version: 1,
        outcome: 'won',
        stakedHundredths: 100,
        profitHundredths,
        returnHundredths: 100 + profitHundredths,
        reason: null,
        actor: null,
        settledAt: at(hours + 24),
        sequence: number,
      },
    ],
    followers: [],
    ledgerSequence: number,
    demo: true,
    ...more,
  };
}

const tips = Array.from({ length: 60 }, (_, number) => tip(number));
const [open, premium] = [PortfolioVisibility.public, PortfolioVisibility.premium].map((visibility) =>
  tipstersOf('test').filter((tipster) => tipster.visibility === visibility),
);

function postsOf(seed: string, tipster: Tipster, of: readonly TipView[], until: Date): WrittenPost[] {
  const postable = of.map((each) => ({ ...each, settledAt: each.settlements.at(-1)?.settledAt ?? null }));
  return planPosts(seed, tipster, postable, until).map((plan) =>
    writePost(
      seed,
      plan,
      plan.tips.flatMap((reference) => of.find((each) => each.reference === reference) ?? []),
    ),
  );
}

const seeds = ['a', 'b', 'c'];
const written = (tipsters: typeof open, of: readonly TipView[]) =>
  seeds.flatMap((seed) => (tipsters ?? []).flatMap((tipster) => postsOf(seed, tipster, of, now)));

const number = (reference: string) => Number(reference.slice(3));
const isPreview = ({ body }: WrittenPost) => body.includes('published today');
const isReview = ({ body }: WrittenPost) => body.startsWith('The last 10 tips');

describe('the posts of a demo tipster', () => {
  test('are the same for the same seed, some for each, in the order of time, and all that a post may be', () => {
    const [tipster] = open ?? [];
    if (!tipster) throw new Error('There is no public tipster.');
    const posts = postsOf('a', tipster, tips, now);
    const again = postsOf(
      'a',
      tipster,
      tips.map((each) => ({ ...each, reference: each.reference.replace('tip', 'new') })),
      now,
    );
    expect(again.map(({ tips: _, ...post }) => post)).toEqual(posts.map(({ tips: _, ...post }) => post));
    expect(posts.length).toBeGreaterThanOrEqual(3);
    expect(posts.length).toBeLessThanOrEqual(6);
    expect(posts.map((post) => post.at.getTime())).toEqual(
      posts.map((post) => post.at.getTime()).toSorted((a, b) => a - b),
    );
    for (const { at: _, ...post } of written(open, tips))
      expect(() => postInputSchema.parse({ ...post, idempotencyKey: 'a' })).not.toThrow();
  });

  test('say nothing that was not known when they were written', () => {
    const posts = written(open, tips);
    expect(posts.filter(isPreview).length).toBeGreaterThan(10);
    for (const post of posts.filter(isPreview)) {
      for (const reference of post.tips) {
        const { publishedAt, firstStartsAt } = tip(number(reference));
        expect(Date.parse(publishedAt)).toBeLessThan(post.at.getTime());
        expect(Date.parse(firstStartsAt)).toBeGreaterThan(post.at.getTime());
      }
      expect(post.body).not.toMatch(/2–0|profit|loss/);
    }
  });

  test('review the ten tips that were settled last, and add them up', () => {
    const posts = written(open, tips).filter(isReview);
    expect(posts.length).toBeGreaterThan(10);
    for (const { at: moment, body } of posts) {
      const known = tips
        .filter(({ settlements }) => Date.parse(settlements[0]?.settledAt ?? '') <= moment.getTime())
        .slice(-10);
      expect(body).toContain('5 made a profit, 5 a loss. That is **+0.50 units** from 10.00 staked.');
      expect([...body.matchAll(/^\| Home (\d+) /gm)].map(([, found]) => Number(found))).toEqual(
        known.map(({ reference }) => number(reference)),
      );
    }
  });

  test('take a correction that came later for what it is: not yet known', () => {
    const corrected = tips.map((each) => ({
      ...each,
      settlements: [
        { ...each.settlements[0]!, version: 2, profitHundredths: 9_900, settledAt: now.toISOString() },
        ...each.settlements,
      ],
    }));
    const posts = written(open, corrected).filter((post) => isReview(post) && post.at < now);
    expect(posts.length).toBeGreaterThan(10);
    for (const { body } of posts) expect(body).toContain('+0.50 units');
  });

  test('never tell everybody of a hidden tip', () => {
    const posts = written(
      open,
      tips.map((each) => ({ ...each, hidden: true })),
    );
    expect(posts.filter(isPreview)).toEqual([]);
    expect(posts.length).toBeGreaterThan(10);
  });

  test('keep what members pay for to members, and out of the title', () => {
    const previews = written(
      premium,
      tips.map((each) => ({ ...each, free: false })),
    ).filter(isPreview);
    expect(previews.length).toBeGreaterThan(10);
    for (const { premiumOnly, title } of previews) {
      expect(premiumOnly).toBe(true);
      expect(title).not.toMatch(/Home|Away/);
    }
    expect(written(open, tips).filter(({ premiumOnly }) => premiumOnly)).toEqual([]);
  });

  test('are none where there is nothing to write about', () => expect(written(open, [])).toEqual([]));
});
