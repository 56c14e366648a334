import type { LedgerEntry, LedgerVerdict, LegFacts, Publication, RulingActor, Settlement } from '@/lib/record/schema';
import { sports } from '@/lib/reference/schema';
import type { SettledTip } from '../schema/rollups';
import { exactOf } from './exact';
import { profitAt } from './followed';
import { settledTipOf } from './settled-tip';

/** One settlement of a tip as its entry states it: when, where in the record, and where it is a correction why and by whom. */
export type RecordedSettlement = {
  sequence: number;
  at: string;
  content: Settlement;
  reason: string | null;
  actor: RulingActor | null;
};

/** A tip as the record tells it; `publication` is null while its commitment is closed. */
export type RecordedTip = {
  reference: string;
  portfolio: string;
  sequence: number;
  publishedAt: string;
  publication: Publication | null;
  settlements: RecordedSettlement[];
};

/** Follows the entries of a verified ledger, in their order, into its tips by portfolio. */
export class RecordFold {
  readonly #portfolios = new Map<string, Map<string, RecordedTip>>();
  #last = { sequence: 0, at: '' };

  /** Takes the next entry. */
  take(entry: LedgerEntry): void {
    const { sequence, at } = entry;
    this.#last = { sequence, at };
    if (!('tip' in entry)) return;
    const { portfolio, tip: reference } = entry;
    const tips = this.#portfolios.get(portfolio) ?? new Map<string, RecordedTip>();
    this.#portfolios.set(portfolio, tips);
    if (entry.kind === 'tip-published' || entry.kind === 'tip-committed') {
      tips.set(reference, {
        reference,
        portfolio,
        sequence,
        publishedAt: at,
        publication: entry.kind === 'tip-published' ? entry.content : null,
        settlements: [],
      });
      return;
    }
    const tip = tips.get(reference);
    if (!tip) return;
    if (entry.kind === 'tip-opened') tip.publication = entry.content.publication;
    else
      tip.settlements.push({
        sequence,
        at,
        content: entry.content,
        reason: entry.kind === 'tip-corrected' ? entry.content.reason : null,
        actor: entry.kind === 'tip-corrected' ? entry.content.actor : null,
      });
  }

  /** The last entry taken: its sequence, 0 before the first, and its moment. */
  get last(): { sequence: number; at: string } {
    return this.#last;
  }

  /** The tips of every portfolio by their references, in the order in which they were published; it goes on with what is taken. */
  get portfolios(): ReadonlyMap<string, ReadonlyMap<string, RecordedTip>> {
    return this.#portfolios;
  }
}

const plain: Partial<Record<string, Pick<LedgerVerdict, 'voidHalves' | 'won'>>> = {
  won: { voidHalves: 0, won: true },
  'half-won': { voidHalves: 1, won: true },
  void: { voidHalves: 2, won: false },
  'half-lost': { voidHalves: 1, won: false },
  lost: { voidHalves: 0, won: false },
};

/** What the outcome alone tells of a leg in the older format. */
function factsFrom(outcome: string): LegFacts {
  const verdict = plain[outcome];
  return {
    win: verdict ? { ...verdict, deadHeat: { numerator: 1, denominator: 1 }, rule4Pence: 0 } : null,
    place: null,
    closing: null,
    fairClosing: null,
    followers: { after5: null, after15: null, after60: null, close: null },
  };
}

const sportIds = new Map(sports.map(({ id, reference }) => [reference, id]));
const levelStakeHundredths = 100;

/**
 * Product §7: a tip of the record as statistics read it, by its newest settlement in the place of its first; null while it is not settled.
 * Leagues and bookmakers have no number there: `numberOf` gives each reference one where breakdowns by them are wanted. `isWhole` is false for a settlement of the older format, which tells amounts at advised stakes
 * and nothing of level stakes, closing prices and followers.
 */
export function settledTipIn(
  { sequence, publishedAt, publication, settlements }: RecordedTip,
  numberOf: (kind: 'league' | 'bookmaker', reference: string) => number | null = () => null,
): { tip: SettledTip; isWhole: boolean } | null {
  const [first, latest] = [settlements[0], settlements.at(-1)];
  if (!first || !latest || !publication) return null;
  const { stakeHundredths, eachWay } = publication;
  const legs = publication.legs.map(({ market, price, bookmaker, details }, index) => ({
    sportId: sportIds.get(details?.sport ?? '') ?? null,
    leagueId: details ? numberOf('league', details.league.reference) : null,
    bookmakerId: numberOf('bookmaker', bookmaker),
    kind: market.kind,
    taken: price,
    facts: latest.content.legs[index]?.facts ?? factsFrom(latest.content.legs[index]?.outcome ?? ''),
  }));
  const { stakedHundredths } = latest.content;
  const level =
    stakedHundredths === 0
      ? 0n
      : profitAt(
          legs.map(({ taken, facts }) => ({ price: taken, facts })),
          levelStakeHundredths,
          eachWay,
        );
  const tip = settledTipOf({
    tipId: sequence,
    settledSequence: first.sequence,
    settledAt: first.at,
    publishedAt,
    firstStartsAt: publication.legs.map(({ startsAt }) => startsAt).reduce((a, b) => (a < b ? a : b)),
    stakeHundredths,
    stakedHundredths,
    profitMicrounits: exactOf(BigInt(latest.content.profitMicrounits)),
    levelStakedHundredths: stakedHundredths === 0 ? 0 : levelStakeHundredths * (eachWay ? 2 : 1),
    levelProfitMicrounits: exactOf(level ?? 0n),
    eachWay,
    legs,
  });
  return {
    tip,
    isWhole:
      latest.content.legs.every(({ facts }) => facts !== undefined) &&
      publication.legs.every(({ details }) => details !== undefined),
  };
}
