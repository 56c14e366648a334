import { formatCount, formatDate, formatOdds, formatPercent, formatTotalOdds, formatUnits } from '@/lib/format';
import { defaultOddsDisplay, PortfolioVisibility } from '@/lib/reference/schema';
import type { TipView } from '@/lib/tips/schema';
import { type Random, randomFrom } from '@/lib/feeds/demo/random';
import type { Tipster } from './tipsters';

/** What must be known of a tip to plan posts about it. `settledAt` is when it was first settled. */
export type PostableTip = Pick<TipView, 'reference' | 'publishedAt' | 'firstStartsAt' | 'free' | 'hidden'> & {
  settledAt: string | null;
};

/** A post that a tipster of the demo world is going to write, and about which tips. */
export type PlannedPost = {
  kind: 'introduction' | 'review' | 'preview';
  at: Date;
  premiumOnly: boolean;
  tips: string[];
};

/** A post that a tipster of the demo world writes, with the references of the tips in it. */
export type WrittenPost = { at: Date; title: string; body: string; premiumOnly: boolean; tips: string[] };

const minute = 60_000;
const hour = 60 * minute;
const firstTips = 8;
const reviewed = 10;
const newsworthyHours = 72;

const after = (iso: string, milliseconds: number) => new Date(Date.parse(iso) + milliseconds);
const dayOf = (at: Date) => formatDate(at.toISOString(), { timeZone: 'UTC', style: 'short-day' });
const monthOf = (at: Date) => formatDate(at.toISOString(), { timeZone: 'UTC', style: 'month' });
const odds = (thousandths: number) => formatTotalOdds(thousandths, defaultOddsDisplay);
const oddsOf = ({ legs, totalOddsThousandths }: TipView) =>
  legs.length === 1 && legs[0] ? formatOdds(legs[0].price, defaultOddsDisplay) : odds(totalOddsThousandths ?? 1000);
const nameOf = ({ legs }: TipView) =>
  legs.map(({ selectionName, fixtureName }) => `${selectionName} (${fixtureName})`).join(' + ');

/** The posts that a tipster writes up to `now` about tips of the portfolio's, of which all are given; the same for the same seed. Oldest first. */
export function planPosts(seed: string, tipster: Tipster, tips: readonly PostableTip[], now: Date): PlannedPost[] {
  const random = randomFrom(seed, tipster.name, 'posts');
  const inOrder = tips.toSorted((a, b) => a.publishedAt.localeCompare(b.publishedAt));
  const posts = [
    ...planIntroduction(inOrder),
    ...planReviews(inOrder, random),
    ...planPreviews(tipster, inOrder, now, random),
  ];
  return posts.filter(({ at }) => at <= now).sort((a, b) => a.at.getTime() - b.at.getTime());
}

function planIntroduction(tips: readonly PostableTip[]): PlannedPost[] {
  const first = tips.slice(0, firstTips);
  if (first.length < firstTips) return [];
  const at = after(
    first
      .map(({ firstStartsAt }) => firstStartsAt)
      .sort()
      .at(-1) ?? '',
    20 * hour,
  );
  return [{ kind: 'introduction', at, premiumOnly: false, tips: first.map(({ reference }) => reference) }];
}

function planReviews(tips: readonly PostableTip[], random: Random): PlannedPost[] {
  const settled = tips
    .flatMap(({ reference, settledAt }) => (settledAt ? [{ reference, settledAt }] : []))
    .sort((a, b) => a.settledAt.localeCompare(b.settledAt));
  const moments = [...new Set(settled.slice(reviewed - 1).map(({ settledAt }) => settledAt))];
  return random
    .shuffled(moments)
    .slice(0, random.whole(1, 2))
    .map((moment) => {
      const at = after(moment, random.whole(2, 9) * hour);
      const known = settled.filter(({ settledAt }) => Date.parse(settledAt) <= at.getTime());
      return { kind: 'review', at, premiumOnly: false, tips: known.slice(-reviewed).map(({ reference }) => reference) };
    });
}

function planPreviews(tipster: Tipster, tips: readonly PostableTip[], now: Date, random: Random): PlannedPost[] {
  const sessions = [...new Set(tips.map(({ publishedAt }) => publishedAt))];
  const latest = sessions.at(-1);
  const isNews =
    latest !== undefined && now.getTime() - Date.parse(latest) < newsworthyHours * hour && random.chance(0.7);
  const earlier = random
    .shuffled(sessions.slice(0, -1))
    .flatMap((moment) => planPreview(tipster, tips, moment, random));
  return [...earlier.slice(0, random.whole(1, 2)), ...(isNews ? planPreview(tipster, tips, latest, random) : [])];
}

function planPreview(tipster: Tipster, tips: readonly PostableTip[], moment: string, random: Random): PlannedPost[] {
  const at = after(moment, random.whole(3, 30) * minute);
  const open = tips.filter(
    ({ publishedAt, firstStartsAt }) => publishedAt === moment && Date.parse(firstStartsAt) > at.getTime(),
  );
  const premiumOnly = tipster.visibility === PortfolioVisibility.premium && open.some(({ free }) => !free);
  const shown = premiumOnly ? open : open.filter(({ hidden }) => !hidden);
  return shown.length > 0 ? [{ kind: 'preview', at, premiumOnly, tips: shown.map(({ reference }) => reference) }] : [];
}

const writers = { introduction, review, preview };

/** The text of a planned post, made of figures of its tips that were known when it was written; `tips` are those of the plan, in its order, as the tipster sees them. */
export function writePost(seed: string, { kind, at, premiumOnly }: PlannedPost, tips: readonly TipView[]): WrittenPost {
  const random = randomFrom(seed, kind, at.toISOString(), tips[0]?.portfolioReference ?? '');
  return { at, premiumOnly, ...writers[kind](tips, at, premiumOnly, random) };
}

type Text = Pick<WrittenPost, 'title' | 'body' | 'tips'>;

const range = (inOrder: readonly string[]) =>
  inOrder[0] === inOrder.at(-1) ? `of ${inOrder[0]}` : `from ${inOrder[0]} to ${inOrder.at(-1)}`;

function introduction(first: readonly TipView[]): Text {
  const prices = first.map(({ totalOddsThousandths }) => totalOddsThousandths ?? 1000).toSorted((a, b) => a - b);
  const stakes = first.map(({ stakeHundredths }) => stakeHundredths).toSorted((a, b) => a - b);
  const singles = first.filter(({ legCount }) => legCount === 1).length;
  const body = [
    `The first ${first.length} tips are on the record, so here is what to expect:`,
    [
      `- ${formatCount(singles, 'single', 'singles')}${singles < first.length ? ` and ${formatCount(first.length - singles, 'accumulator', 'accumulators')}` : ''};`,
      `- prices ${range(prices.map(odds))};`,
      `- stakes ${range(stakes.map((stake) => formatUnits(stake)))} units.`,
    ].join('\n'),
    '## What the record can tell you, and when',
    `Each tip is recorded before its start at a price that was on offer, and nobody can change it afterwards, me included. **${first.length} tips say nothing about skill.** Under 45 settled tips a record here is marked as too few to judge; wait for that before you follow with money.`,
  ].join('\n\n');
  return { title: 'What to expect here', body, tips: first.slice(0, 3).map(({ reference }) => reference) };
}

type SettledTip = { tip: TipView; settlement: TipView['settlements'][number] };

// A correction that came after the post was not known when it was written.
const settledBy = (tips: readonly TipView[], at: Date) =>
  tips.flatMap((tip): SettledTip[] => {
    const settlement = tip.settlements.find(({ settledAt }) => Date.parse(settledAt) <= at.getTime());
    return settlement ? [{ tip, settlement }] : [];
  });

function review(tips: readonly TipView[], at: Date, _premiumOnly: boolean, random: Random): Text {
  const window = settledBy(tips, at);
  const profits = window.map(({ settlement }) => Number(settlement.profitHundredths));
  const profit = profits.reduce((sum, each) => sum + each, 0);
  const staked = window.reduce((sum, { settlement }) => sum + settlement.stakedHundredths, 0);
  const [won, lost] = [profits.filter((each) => each > 0).length, profits.filter((each) => each < 0).length];
  const level = window.length - won - lost;
  const best = window.toSorted(
    (a, b) => Number(b.settlement.profitHundredths) - Number(a.settlement.profitHundredths),
  )[0];
  const body = [
    `The last ${window.length} tips to be settled: ${won} made a profit, ${lost} a loss${level > 0 ? ` and ${level} returned the stake` : ''}. That is **${formatUnits(profit, { sign: true })} units** from ${formatUnits(staked)} staked.`,
    [
      '| Tip | Odds | Units |',
      '|---|---|---|',
      ...window.map(
        ({ tip, settlement }) =>
          `| ${nameOf(tip)} | ${oddsOf(tip)} | ${formatUnits(settlement.profitHundredths, { sign: true })} |`,
      ),
    ].join('\n'),
    ...(best && Number(best.settlement.profitHundredths) > 0
      ? [`The best of them was ${nameOf(best.tip)} at ${oddsOf(best.tip)}.`]
      : []),
    random.pick([
      'Ten tips prove nothing either way. The whole record, with its longest losing run, is on the statistics page.',
      'Read this beside the whole record: ten tips are a short run, good or bad.',
    ]),
  ].join('\n\n');
  const title = random.pick([
    `Ten tips in review, ${dayOf(at)}`,
    `How the last ten went: ${formatUnits(profit, { sign: true })} units`,
    `Looking back, ${monthOf(at)}`,
  ]);
  return { title, body, tips: window.slice(-5).map(({ tip }) => tip.reference) };
}

function preview(tips: readonly TipView[], at: Date, premiumOnly: boolean, random: Random): Text {
  const body = [
    `${formatCount(tips.length, 'tip', 'tips')} published today, with the price of each when it went on the record.`,
    ...tips.map(about),
    random.pick([
      'Prices move. If yours is shorter than the one above, work out again what it has to win before you take it.',
      'The price on the record is the one that counts for my figures; the one that you get counts for yours.',
      'If the price has gone, so has the bet.',
    ]),
  ].join('\n\n');
  return { title: titleOf(tips, at, premiumOnly, random), body, tips: tips.map(({ reference }) => reference) };
}

// The title of a members' post is for everybody to read, so it tells nothing of the tips.
function titleOf(tips: readonly TipView[], at: Date, premiumOnly: boolean, random: Random): string {
  const leg = tips[0]?.legs[0];
  if (premiumOnly || !leg)
    return `${random.pick(['Notes for members', 'Members’ card', 'Before the start'])}, ${dayOf(at)}: ${formatCount(tips.length, 'tip', 'tips')}`;
  const title =
    tips.length === 1 && tips[0]?.legCount === 1
      ? `${leg.fixtureName}: ${leg.selectionName}`
      : `The card for ${dayOf(at)}`;
  return title.slice(0, 120);
}

function about(tip: TipView): string {
  const { legs, stakeHundredths, eachWay, totalOddsThousandths } = tip;
  const stake = `${formatUnits(stakeHundredths)} units${eachWay ? ' each way' : ''}`;
  const [only] = legs;
  if (legs.length === 1 && only) {
    const chance = `The price implies a chance of ${formatPercent(100_000 / only.price.oddsThousandths)}, the bookmaker’s margin included.`;
    return `### ${only.selectionName}\n\n${only.fixtureName}, ${only.leagueName}: ${only.marketName.toLowerCase()}, **${oddsOf(tip)}** with ${only.bookmakerName}, ${stake}. ${chance}`;
  }
  const list = legs
    .map(
      ({ selectionName, fixtureName, price, bookmakerName }) =>
        `- ${selectionName}, ${fixtureName}: ${formatOdds(price, defaultOddsDisplay)} with ${bookmakerName}`,
    )
    .join('\n');
  return `### ${formatCount(legs.length, 'leg', 'legs')} at ${odds(totalOddsThousandths ?? 1000)}\n\n${list}\n\nStake: ${stake}.`;
}
