import type { Bookmaker, BookmakerPurpose } from '@/lib/reference/schema';
import type { Price } from '../schema/price';

/** What ordering needs of a bookmaker: `rating` higher is better, null unrated; `preference` is its place in the fixed list, lower first. */
export type RankedBookmaker = Pick<Bookmaker, 'id' | 'rating'> & { preference: number };

/** Spec §3: whether a bookmaker is shown for each purpose, and the ids of the countries where it is hidden. */
export type BookmakerVisibility = Pick<
  Bookmaker,
  | 'showOnMarkets'
  | 'marketsCountryBlock'
  | 'showOnLiveOdds'
  | 'liveOddsCountryBlock'
  | 'showOnAddTips'
  | 'addTipsCountryBlock'
>;

/** A bookmaker's price on a selection; `pulled` when it is no longer on offer. */
export type Quote = { price: Price; pulled: boolean };

function ratio({ oddsThousandths, fraction }: Price): [number, number] {
  return fraction ? [fraction.numerator + fraction.denominator, fraction.denominator] : [oddsThousandths, 1000];
}

/** Settlement §4: compares two prices exactly, by the quoted fraction where there is one: negative when `a` is shorter, 0 when equal. */
export function compareOdds(a: Price, b: Price): number {
  const [[an, ad], [bn, bd]] = [ratio(a), ratio(b)];
  return an * bd - bn * ad;
}

/** Which way a price went: 'shorter' pays less than before, 'longer' pays more. */
export type Movement = 'shorter' | 'longer' | 'same';

/** Product §4: the movement from an earlier price to a later one, compared exactly. */
export function movement(from: Price, to: Price): Movement {
  const change = compareOdds(to, from);
  return change === 0 ? 'same' : change < 0 ? 'shorter' : 'longer';
}

/** The quotes with the longest odds on offer, ties included, in the order given; empty when all are pulled. */
export function bestPrice<Q extends Quote>(quotes: readonly Q[]): Q[] {
  return quotes.reduce<Q[]>((best, quote) => {
    if (quote.pulled) return best;
    const against = best[0] ? compareOdds(quote.price, best[0].price) : 1;
    return against > 0 ? [quote] : against === 0 ? [...best, quote] : best;
  }, []);
}

/**
 * Spec §5: the best odds first, then the better rating. Ours: then the fixed preference, then the id; an unrated
 * bookmaker comes after the rated ones and a pulled price after all that are on offer.
 */
export function orderQuotes<Q extends Quote & { bookmaker: RankedBookmaker }>(quotes: readonly Q[]): Q[] {
  return quotes.toSorted(
    (a, b) =>
      Number(a.pulled) - Number(b.pulled) ||
      compareOdds(b.price, a.price) ||
      (b.bookmaker.rating ?? -1) - (a.bookmaker.rating ?? -1) ||
      a.bookmaker.preference - b.bookmaker.preference ||
      a.bookmaker.id - b.bookmaker.id,
  );
}

/** Spec §5: selections by `selectedOdds` (decimal) ascending; those without odds last, equals in the order given. */
export function orderSelections<S extends { selectedOdds: number | null }>(selections: readonly S[]): S[] {
  const odds = ({ selectedOdds }: S) => selectedOdds ?? Number.MAX_VALUE;
  return selections.toSorted((a, b) => odds(a) - odds(b));
}

const visibilityFor: Record<BookmakerPurpose, (bookmaker: BookmakerVisibility) => [boolean, readonly number[]]> = {
  markets: (bookmaker) => [bookmaker.showOnMarkets, bookmaker.marketsCountryBlock],
  liveOdds: (bookmaker) => [bookmaker.showOnLiveOdds, bookmaker.liveOddsCountryBlock],
  addTips: (bookmaker) => [bookmaker.showOnAddTips, bookmaker.addTipsCountryBlock],
};

/** Spec §3: true when the bookmaker is shown for the purpose in the country. */
export function isBookmakerVisible(
  bookmaker: BookmakerVisibility,
  countryId: number,
  purpose: BookmakerPurpose,
): boolean {
  const [isShown, countryBlock] = visibilityFor[purpose](bookmaker);
  return isShown && !countryBlock.includes(countryId);
}

/** Spec §5: the quotes whose bookmakers are shown for the purpose in the country, in the order given. */
export function visibleQuotes<Q extends { bookmaker: BookmakerVisibility }>(
  quotes: readonly Q[],
  countryId: number,
  purpose: BookmakerPurpose,
): Q[] {
  return quotes.filter(({ bookmaker }) => isBookmakerVisible(bookmaker, countryId, purpose));
}
