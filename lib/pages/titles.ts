import { type ContentKind, type ContentSummary, type SectionKind, sections } from '@/lib/content/schema';
import type { FixtureDetail } from '@/lib/fixtures/schema';
import { dayTextOfFixture, isPostponed, cutShortText, outcomeText } from '@/lib/fixtures/rules';
import { formatCount, formatDate, formatOdds, formatNumber, formatTotalOdds, formatUnits } from '@/lib/format';
import { multipleName, racingSports } from '@/lib/odds/rules';
import type { PortfolioView } from '@/lib/portfolios/schema';
import type { PostView } from '@/lib/posts/schema';
import { slug } from '@/lib/reference/rules';
import type { Sport } from '@/lib/reference/schema';
import type { TipView } from '@/lib/tips/schema';
import { defaultView } from './default-view';

/** Product §13: what search engines show of a title, in characters. */
export const longestShownTitle = 60;

/** Ours: what search engines show of a description, in characters. */
export const longestShownDescription = 160;

/** What a page is called outside of it: no other page of the site has the same title or the same description. */
export type PageWords = { title: string; description: string };

/** The first of these titles, or of other texts with a bound of their own, that is shown whole; the shortest where none is. */
export function fitting(texts: readonly string[], longest = longestShownTitle): string {
  return (
    texts.find((text) => text.length <= longest) ??
    texts.reduce((shortest, text) => (text.length < shortest.length ? text : shortest))
  );
}

/** Sentences as a description: the first, and those after it as long as all is shown. */
export function described(sentences: readonly (string | null | false | '')[]): string {
  const given = sentences.filter((sentence): sentence is string => Boolean(sentence));
  return given.slice(1).reduce((text, sentence) => {
    const longer = `${text} ${sentence}`;
    return longer.length <= longestShownDescription ? longer : text;
  }, given[0] ?? '');
}

/** Of the home page. */
export const homeWords: PageWords = {
  title: 'Betting tips and odds, with proven records',
  description:
    'Free betting tips recorded before the start at prices really on offer, the odds of every bookmaker compared, results, and records that anyone can check.',
};

/** Of the comparison of tipsters. */
export const comparisonWords: PageWords = {
  title: 'Best betting tipsters, compared by record',
  description:
    'Compare tipsters by profit, yield, strike rate and closing line value, from records that cannot be changed and count every losing tip.',
};

/** Of the fixtures of all sports. */
export const fixturesWords: PageWords = {
  title: 'Fixtures today and this week, with odds',
  description:
    'Every fixture of the next seven days in all sports, with the best odds on offer, and the latest results.',
};

// What somebody who searches adds to what the page is called, so that no two sections share a title.
const inSearch: Partial<Record<ContentKind, (title: string) => string>> = {
  'betting-terms': (title) => fitting([`${title}: what it means in betting`, `${title}: meaning in betting`]),
  'betting-strategies': (title) => fitting([`${title}: a betting strategy explained`, `${title}: betting strategy`]),
  'betting-scams': (title) => fitting([`${title}: a betting scam explained`, `${title}: betting scam`]),
};

/** Of a page of content. */
export const contentWords = ({
  kind,
  title,
  summary,
}: Pick<ContentSummary, 'kind' | 'title' | 'summary'>): PageWords => ({
  title: inSearch[kind]?.(title) ?? title,
  description: summary,
});

const sectionTitles: Partial<Record<SectionKind, string>> = {
  articles: 'Betting articles: markets, prices and records',
  'betting-guides': 'Betting guides: odds, staking and records',
  'betting-terms': 'Betting terms explained, from A to Z',
  'betting-strategies': 'Betting strategies, and what they cost',
  'betting-scams': 'Betting scams, and how to recognise them',
  'bet-types': 'Bet types explained, with examples',
  'bookmaker-reviews': 'Bookmaker reviews: ratings, offers and terms',
  'tip-of-the-day': 'Free betting tip of the day',
};

/** Of the index of a section. */
export const sectionWords = (kind: SectionKind): PageWords => ({
  title: sectionTitles[kind] ?? sections[kind].title,
  description: sections[kind].description,
});

/** Of the page of a sport. */
export const sportPageWords = ({ name, description }: Pick<Sport, 'name' | 'description'>): PageWords => ({
  title: fitting([`${name} tips, fixtures, odds and results`, `${name} tips and odds`]),
  description: described([
    `${name} tips, upcoming fixtures with the best odds of every bookmaker, and results by league.`,
    description,
  ]),
});

const { timeZone, timeZoneName } = defaultView;
const dayOf = (iso: string) => formatDate(iso, { timeZone, style: 'day' });
const dateOf = (day: string) => day.replace(/^\w+ /, '');
const timeOf = (iso: string) => formatDate(iso, { timeZone, style: 'day-time' });

// Of two fixtures with the same sides on one day the later written has a number.
const copyOf = (reference: string) => /-\d{4}-\d\d-\d\d-(\d{1,3})$/.exec(reference)?.[1];

function outcomeOf(fixture: FixtureDetail): string | null {
  const { score, home, away, name } = fixture;
  const { finalScore } = score;
  const cut = cutShortText(fixture);
  if (cut && (score.abandoned || !finalScore)) return `${name}: ${cut.toLowerCase()}`;
  const told = outcomeText(fixture);
  if (told) return `${name}: ${told}`;
  return finalScore && home && away
    ? `${home.name} ${finalScore.displayName} ${away.name}${cut ? ` (${cut})` : ''}`
    : null;
}

/** Of a fixture: what people look for before it and after it. */
export function fixtureWords(fixture: FixtureDetail): PageWords {
  const { name, startsAt, startTimeKnown, league, sportReference, runners, reference, score } = fixture;
  const copy = copyOf(reference);
  // The day that does not hold tells two postponed fixtures of the same sides apart.
  const from = isPostponed(score) ? 'postponed from ' : '';
  const isTimed = startTimeKnown && from === '';
  const day = dayTextOfFixture(fixture, { timeZone, style: 'day' });
  const on = `${from}${dateOf(day)}${copy ? ` (${copy})` : ''}`;
  const when = `${from}${isTimed ? `${timeOf(startsAt)} ${timeZoneName}` : day}${copy ? ` (${copy})` : ''}`;
  const outcome = outcomeOf(fixture);
  if (outcome)
    return {
      title: fitting([
        `${outcome}: result, odds and tips, ${on}`,
        `${outcome}: odds and tips, ${on}`,
        `${outcome}, ${on}`,
        `${name}: result, ${on}`,
        `${name}, ${on}`,
      ]),
      description: fitting(
        [
          `${outcome}. ${league.name}, ${when}. Closing odds of every bookmaker, price movement and how the tips on it did.`,
          `${outcome}. ${league.name}, ${when}. Closing odds, and how the tips did.`,
          `${outcome}. ${league.name}, ${when}.`,
          `${name}, ${league.name}, ${when}: result, closing odds and tips.`,
        ],
        longestShownDescription,
      ),
    };
  const isRace = racingSports.includes(sportReference);
  const field = isRace ? 'race card' : runners.length > 0 ? 'the field' : 'prediction';
  return {
    title: fitting([
      `${name}: odds, tips and ${field}, ${on}`,
      `${name}: odds and tips, ${on}`,
      `${name} odds, tips, ${on}`,
      `${name} tips, ${on}`,
      `${name}, ${on}`,
    ]),
    description: fitting(
      [
        `${name}, ${league.name}, ${when}: ${isRace ? 'the runners with every bookmaker’s odds' : 'every bookmaker’s odds compared'}, how they moved, and the tips on it.`,
        `${name}, ${league.name}, ${when}: odds compared, and the tips on it.`,
        `${name}, ${when}: odds and tips.`,
      ],
      longestShownDescription,
    ),
  };
}

/** The name of a portfolio, with its reference where another may have the same name. */
export function distinctName({ name, reference }: Pick<PortfolioView, 'name' | 'reference'>): string {
  return slug(name) === reference ? name : `${name} (${reference})`;
}

/** A page of a portfolio. */
export type PortfolioPageKind = 'profile' | 'stats' | 'results' | 'tips' | 'posts';

/** Of a page of a portfolio; `about` is what its owner says of it, in one line. */
export function portfolioWords(
  portfolio: Pick<PortfolioView, 'name' | 'reference'>,
  page: PortfolioPageKind,
  about = '',
): PageWords {
  const name = distinctName(portfolio);
  const words: Record<PortfolioPageKind, PageWords> = {
    profile: {
      title: fitting([`${name}: betting tips and proven record`, `${name}: tips and record`, name]),
      description: described([
        `${name} on Tipledger: profit, yield and every tip, each recorded before the start.`,
        about,
        'Nobody can change the record, and anyone can check it.',
      ]),
    },
    stats: {
      title: fitting([`${name}: betting record by month, sport and odds`, `${name}: statistics`]),
      description: described([
        `${name} in figures: profit and yield by month, sport, league, bookmaker, odds and stake.`,
        'Computed from a record that anyone can check.',
      ]),
    },
    results: {
      title: fitting([`${name}: results of all settled tips`, `${name}: results`]),
      description: described([
        `Every settled tip by ${name}, winners and losers: price taken, closing price, stake and profit.`,
      ]),
    },
    tips: {
      title: fitting([`${name}: latest betting tips`, `${name}: tips`]),
      description: described([
        `Betting tips by ${name}, newest first: the selection, the price taken, the bookmaker and the result of each.`,
      ]),
    },
    posts: {
      title: fitting([`${name}: previews and posts`, `${name}: posts`]),
      description: described([`Previews, reviews and the thinking behind the tips: what ${name} writes on Tipledger.`]),
    },
  };
  return words[page];
}

/** What a tip is called: its bet, or how many selections it has. */
export function tipHeading({ lock, legs, legCount, portfolioName }: TipView): string {
  const [only] = legs;
  if (lock || !only) return `A tip by ${portfolioName}`;
  return legCount === 1 ? only.bet : `${multipleName(legCount)} by ${portfolioName}`;
}

const oddsOf = ({ legs, totalOddsThousandths }: TipView): string | null => {
  const [only] = legs;
  if (legs.length === 1 && only) return `${formatOdds(only.price, 'decimal')} with ${only.bookmakerName}`;
  return totalOddsThousandths === null ? null : formatTotalOdds(totalOddsThousandths, 'decimal');
};

/** Of a tip as a guest sees it, told from all others by its entry in the record; nothing that is locked is in it. */
export function tipWords(tip: TipView): PageWords {
  const { portfolioName, lock, legs, legCount, ledgerSequence, reference, firstStartsAt, stakeHundredths } = tip;
  const heading = tipHeading(tip);
  const number = ledgerSequence === null ? reference : formatNumber(ledgerSequence);
  const [only] = legs;
  const [settlement] = tip.settlements;
  const by = legCount === 1 && !lock ? ` by ${portfolioName}` : '';
  const odds = oddsOf(tip);
  return {
    title: fitting([
      `${heading}: tip ${number}${by}, ${dateOf(dayOf(firstStartsAt))}`,
      `${heading}: tip ${number}${by}`,
      `${heading}: tip ${number}`,
      ...(only && legCount === 1
        ? [`${only.selectionName}: tip ${number}${by}`, `${only.selectionName}: tip ${number}`]
        : []),
      `Tip ${number}${by}`,
    ]),
    description: described(
      lock
        ? [
            `Tip ${number} by ${portfolioName}, ${dayOf(firstStartsAt)}: sealed in the public record, opened at the start.`,
          ]
        : [
            `${heading}${odds ? ` at ${odds}` : ''}, ${formatUnits(stakeHundredths)} u.`,
            `Tip ${number} by ${portfolioName}, ${dayOf(firstStartsAt)}.`,
            settlement
              ? `Settled: ${settlement.outcome}, ${formatUnits(settlement.profitHundredths, { sign: true })} u.`
              : '',
            legCount > 1 && `${formatCount(legCount, 'selection', 'selections')}.`,
            'Recorded before the start; anyone can check it.',
          ],
    ),
  };
}

/** Of a post as a guest sees it; nothing that is locked is in it. */
export function postWords(
  post: Pick<PostView, 'title' | 'portfolioName' | 'portfolioReference' | 'publishedAt' | 'excerpt' | 'lock'>,
): PageWords {
  const { title, publishedAt, excerpt, lock } = post;
  const name = distinctName({ name: post.portfolioName, reference: post.portfolioReference });
  const date = dateOf(dayOf(publishedAt));
  const lead = `${name}, ${date}`;
  return {
    title: fitting([`${title}, by ${name}, ${date}`, `${title}, ${name}, ${date}`]),
    description: lock
      ? `${lead}: “${title}”, a post for members. The record behind it is open to everybody.`
      : cut(`${lead}: ${excerpt || `“${title}”, a post on Tipledger, where every record can be checked.`}`),
  };
}

/** A text that ends after a whole word where it is too long to be shown. */
function cut(text: string): string {
  if (text.length <= longestShownDescription) return text;
  return `${text.slice(0, longestShownDescription - 1).replace(/[\s,.;:–-]+\S*$/u, '')}…`;
}
