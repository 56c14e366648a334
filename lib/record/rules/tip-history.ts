import { openingGraceHours, type Publication, type TipEntry } from '../schema/entries';
import { commitmentOf, deadlineOf, firstStartOf } from './entry';
import { entryProblem, type Problem } from './problem';
import { betIn, compactBet, recompute } from './recompute';

type Commitment = { sequence: number; at: string; commitment: string; opensAt: string };

/** `bet` is what settling it needs of its publication, empty while that is closed. */
type TipState = { portfolio: string; closed: Commitment | null; bet: string; version: number };

type EntryOf<K extends TipEntry['kind']> = Extract<TipEntry, { kind: K }>;
type SettlementEntry = EntryOf<'tip-settled' | 'tip-corrected'>;

/** How many tips a ledger holds, and how they stand; of its settlements and corrections, how many were computed again, and how many the older format does not tell enough for. */
export type TipCounts = {
  published: number;
  committed: number;
  opened: number;
  settled: number;
  corrected: number;
  recomputed: number;
  notRecomputed: number;
};

/** The commitment that an opening answers to, null for every other entry. */
export async function commitmentOpenedBy(entry: TipEntry): Promise<string | null> {
  if (entry.kind !== 'tip-opened') return null;
  return commitmentOf({ portfolio: entry.portfolio, tip: entry.tip, ...entry.content });
}

const counted = {
  'tip-published': 'published',
  'tip-committed': 'committed',
  'tip-opened': 'opened',
  'tip-settled': 'settled',
  'tip-corrected': 'corrected',
} as const;

/** Follows every tip through its entries in order: recorded before its start, opened as it was committed, settled version by version to what its publication and its results come to. */
export class TipHistory {
  readonly counts: TipCounts = {
    published: 0,
    committed: 0,
    opened: 0,
    settled: 0,
    corrected: 0,
    recomputed: 0,
    notRecomputed: 0,
  };
  #factsSince: number | null = null;
  readonly #tips = new Map<string, TipState>();

  /** Takes the next entry, with the commitment that it opens; says what is wrong with it, or null. */
  add(entry: TipEntry, commitment: string | null): Problem | null {
    const problem = this.#problemOf(entry, commitment);
    if (!problem) this.counts[counted[entry.kind]] += 1;
    return problem;
  }

  /** Product §6: the first tip that `at` finds unopened although it began long before: a record may not keep its losers closed. */
  unopened(at: string): Problem | null {
    const latest = new Date(Date.parse(at) - openingGraceHours * 3_600_000).toISOString();
    for (const [tip, { closed }] of this.#tips) {
      if (closed && closed.opensAt < latest) {
        return entryProblem(
          'unopened',
          closed.sequence,
          `commits the tip ${tip}, which began at ${closed.opensAt} and had still not been opened at ${at}.`,
        );
      }
    }
    return null;
  }

  #problemOf(entry: TipEntry, commitment: string | null): Problem | null {
    const { sequence, portfolio, tip } = entry;
    const state = this.#tips.get(tip);
    if (entry.kind === 'tip-published' || entry.kind === 'tip-committed') {
      return state
        ? entryProblem('duplicate', sequence, `publishes the tip ${tip} a second time.`)
        : this.#begin(entry);
    }
    if (!state) return entryProblem('unknown-tip', sequence, `is about the tip ${tip}, which was never published.`);
    if (state.portfolio !== portfolio)
      return entryProblem(
        'unknown-tip',
        sequence,
        `puts the tip ${tip} into the portfolio ${portfolio}; it was published in ${state.portfolio}.`,
      );
    return entry.kind === 'tip-opened' ? open(entry, state, commitment) : this.#settle(entry, state);
  }

  #begin(entry: EntryOf<'tip-published' | 'tip-committed'>): Problem | null {
    const { sequence, at, portfolio, tip } = entry;
    const start = deadlineOf(entry);
    if (start !== null && at >= start) return lateProblem(sequence, at, start);
    const [closed, bet] =
      entry.kind === 'tip-published' ? [null, compactBet(entry.content)] : [{ sequence, at, ...entry.content }, ''];
    this.#tips.set(tip, { portfolio, closed, bet, version: 0 });
    return null;
  }

  #settle(entry: SettlementEntry, state: TipState): Problem | null {
    const { sequence, content } = entry;
    const problem = versionProblem(entry, state);
    if (problem) return problem;
    const bet = betIn(state.bet);
    const isOfTip =
      content.legs.length === bet.legs.length &&
      content.legs.every(({ fixture }, index) => fixture === bet.legs[index]?.fixture);
    if (!isOfTip) return entryProblem('settlement', sequence, `settles other legs than the tip ${entry.tip} has.`);
    if (content.legs.some(({ facts }) => facts)) this.#factsSince ??= sequence;
    else if (this.#factsSince !== null)
      return entryProblem(
        'settlement',
        sequence,
        `does not state what it was computed from, as settlements do since entry ${this.#factsSince}.`,
      );
    const computed = recompute(bet, content);
    if (computed.kind === 'wrong')
      return entryProblem('settlement', sequence, `settles the tip ${entry.tip} falsely: it ${computed.sentence}.`);
    this.counts[computed.kind === 'whole' ? 'recomputed' : 'notRecomputed'] += 1;
    state.version = content.version;
    return null;
  }
}

const lateProblem = (sequence: number, at: string, start: string) =>
  entryProblem('late', sequence, `records a tip at ${at}, not before the start of its first leg at ${start}.`);

function open(
  { sequence, tip, content }: EntryOf<'tip-opened'>,
  state: TipState,
  commitment: string | null,
): Problem | null {
  const { closed } = state;
  if (!closed) return entryProblem('opening', sequence, `opens the tip ${tip}, which was open already.`);
  if (commitment !== closed.commitment)
    return entryProblem(
      'opening',
      sequence,
      `opens the tip ${tip} with something else than entry ${closed.sequence} committed.`,
    );
  const problem = startProblem(sequence, content.publication, closed);
  if (problem) return problem;
  state.closed = null;
  state.bet = compactBet(content.publication);
  return null;
}

function startProblem(sequence: number, publication: Publication, closed: Commitment): Problem | null {
  const start = firstStartOf(publication);
  if (closed.at >= start) return lateProblem(closed.sequence, closed.at, start);
  if (start !== closed.opensAt)
    return entryProblem(
      'opening',
      sequence,
      `opens a tip that starts at ${start}; entry ${closed.sequence} said ${closed.opensAt}.`,
    );
  return null;
}

function versionProblem(entry: SettlementEntry, { closed, version }: TipState): Problem | null {
  const { sequence, tip, content } = entry;
  const fail = (sentence: string) => entryProblem('settlement', sequence, sentence);
  if (closed) return fail(`settles the tip ${tip} before it was opened.`);
  if (content.version !== version + 1)
    return fail(`is settlement ${content.version} of the tip ${tip}; settlement ${version + 1} was due.`);
  if (entry.kind === 'tip-settled' && content.version > 1)
    return fail(`settles the tip ${tip} again without a reason; a later settlement is a correction.`);
  if (entry.kind === 'tip-corrected' && entry.content.supersedes !== (version || null))
    return fail(`corrects the tip ${tip} without naming the settlement that it replaces.`);
  return null;
}
