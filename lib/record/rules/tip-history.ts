import { openingGraceHours, type Publication, type TipEntry } from '../schema';
import { commitmentOf, deadlineOf, firstStartOf } from './entry';
import { entryProblem, type Problem } from './problem';

type Commitment = { sequence: number; at: string; commitment: string; opensAt: string };

type TipState = { portfolio: string; closed: Commitment | null; fixtures: string; version: number };

type EntryOf<K extends TipEntry['kind']> = Extract<TipEntry, { kind: K }>;

/** How many tips a ledger holds, and how they stand. */
export type TipCounts = { published: number; committed: number; opened: number; settled: number; corrected: number };

/** The commitment that an opening answers to, null for every other entry. */
export async function commitmentOpenedBy(entry: TipEntry): Promise<string | null> {
  if (entry.kind !== 'tip-opened') return null;
  return commitmentOf({ portfolio: entry.portfolio, tip: entry.tip, ...entry.content });
}

const counted = { 'tip-published': 'published', 'tip-committed': 'committed', 'tip-opened': 'opened', 'tip-settled': 'settled', 'tip-corrected': 'corrected' } as const;

const fixturesOf = (legs: readonly { fixture: string }[]) => legs.map(({ fixture }) => fixture).join(' ');

/** Follows every tip through its entries in order: recorded before its start, opened as it was committed, settled version by version. */
export class TipHistory {
  readonly counts: TipCounts = { published: 0, committed: 0, opened: 0, settled: 0, corrected: 0 };
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
        return entryProblem('unopened', closed.sequence, `commits the tip ${tip}, which began at ${closed.opensAt} and had still not been opened at ${at}.`);
      }
    }
    return null;
  }

  #problemOf(entry: TipEntry, commitment: string | null): Problem | null {
    const { sequence, portfolio, tip } = entry;
    const state = this.#tips.get(tip);
    if (entry.kind === 'tip-published' || entry.kind === 'tip-committed') {
      return state ? entryProblem('duplicate', sequence, `publishes the tip ${tip} a second time.`) : this.#begin(entry);
    }
    if (!state) return entryProblem('unknown-tip', sequence, `is about the tip ${tip}, which was never published.`);
    if (state.portfolio !== portfolio) return entryProblem('unknown-tip', sequence, `puts the tip ${tip} into the portfolio ${portfolio}; it was published in ${state.portfolio}.`);
    return entry.kind === 'tip-opened' ? open(entry, state, commitment) : settle(entry, state);
  }

  #begin(entry: EntryOf<'tip-published' | 'tip-committed'>): Problem | null {
    const { sequence, at, portfolio, tip } = entry;
    const start = deadlineOf(entry);
    if (start !== null && at >= start) return lateProblem(sequence, at, start);
    const [closed, fixtures] = entry.kind === 'tip-published' ? [null, fixturesOf(entry.content.legs)] : [{ sequence, at, ...entry.content }, ''];
    this.#tips.set(tip, { portfolio, closed, fixtures, version: 0 });
    return null;
  }
}

const lateProblem = (sequence: number, at: string, start: string) =>
  entryProblem('late', sequence, `records a tip at ${at}, not before the start of its first leg at ${start}.`);

function open({ sequence, tip, content }: EntryOf<'tip-opened'>, state: TipState, commitment: string | null): Problem | null {
  const { closed } = state;
  if (!closed) return entryProblem('opening', sequence, `opens the tip ${tip}, which was open already.`);
  if (commitment !== closed.commitment) return entryProblem('opening', sequence, `opens the tip ${tip} with something else than entry ${closed.sequence} committed.`);
  const problem = startProblem(sequence, content.publication, closed);
  if (problem) return problem;
  state.closed = null;
  state.fixtures = fixturesOf(content.publication.legs);
  return null;
}

function startProblem(sequence: number, publication: Publication, closed: Commitment): Problem | null {
  const start = firstStartOf(publication);
  if (closed.at >= start) return lateProblem(closed.sequence, closed.at, start);
  if (start !== closed.opensAt) return entryProblem('opening', sequence, `opens a tip that starts at ${start}; entry ${closed.sequence} said ${closed.opensAt}.`);
  return null;
}

function settle(entry: EntryOf<'tip-settled' | 'tip-corrected'>, state: TipState): Problem | null {
  const { sequence, tip, content } = entry;
  const fail = (sentence: string) => entryProblem('settlement', sequence, sentence);
  if (state.closed) return fail(`settles the tip ${tip} before it was opened.`);
  if (content.version !== state.version + 1) return fail(`is settlement ${content.version} of the tip ${tip}; settlement ${state.version + 1} was due.`);
  if (entry.kind === 'tip-settled' && content.version > 1) return fail(`settles the tip ${tip} again without a reason; a later settlement is a correction.`);
  if (entry.kind === 'tip-corrected' && entry.content.supersedes !== (state.version || null)) return fail(`corrects the tip ${tip} without naming the settlement that it replaces.`);
  if (fixturesOf(content.legs) !== state.fixtures) return fail(`settles other legs than the tip ${tip} has.`);
  state.version = content.version;
  return null;
}
