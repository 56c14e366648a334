import type { z } from 'zod';
import { ledgerPageSchema } from '@/lib/record/schema';
import { type RecordedTip, type RecordFold, settledTipIn } from '@/lib/stats/rules';
import type { SettledTip } from '@/lib/stats/schema';
import { RecordNames } from './expected';

/** Asks a site for the JSON at a path; null where it answers that there is no such thing. */
export type Ask = (path: string) => Promise<unknown>;

/** The settled tips of a portfolio in the order of settlement; how many of them are of the older format, and which figures the record can tell of all. */
export type SettledRecord = { tips: SettledTip[]; older: number; counts: (path: string) => boolean };

// A settlement of the older format tells amounts at advised stakes, and nothing of these.
const olderUnknown = /(^|\.)(level|luckProbability|clvPercent|noVigClvPercent|followers)(\.|$)/;

/** What the record of a site says: the verified one, and what the site has recorded since, as far as that was read on. */
export class SiteRecord {
  readonly names = new RecordNames();
  /** How many tips there are. */
  tips = 0;
  readonly #settled = new Map<string, SettledRecord>();

  constructor(
    private readonly fold: RecordFold,
    readonly ask: Ask,
  ) {
    for (const tips of fold.portfolios.values()) {
      this.tips += tips.size;
      for (const { publication } of tips.values()) if (publication) this.names.take(publication);
    }
  }

  /** The moment of the last entry. */
  get at(): string {
    return this.fold.last.at;
  }

  /** The references of the portfolios, those that begin meanwhile at the end. */
  get portfolios(): Iterable<string> {
    return this.fold.portfolios.keys();
  }

  has(portfolio: string): boolean {
    return this.fold.portfolios.has(portfolio);
  }

  /** The tips of a portfolio by their references. */
  tipsOf(portfolio: string): ReadonlyMap<string, RecordedTip> {
    return this.fold.portfolios.get(portfolio) ?? new Map();
  }

  /** What statistics of a portfolio are made of. */
  settledOf(portfolio: string): SettledRecord {
    const known = this.#settled.get(portfolio);
    if (known) return known;
    const settled = [...this.tipsOf(portfolio).values()].flatMap((tip) => settledTipIn(tip, this.names.numberOf) ?? []);
    const older = settled.filter(({ isWhole }) => !isWhole).length;
    const own = {
      tips: settled.map(({ tip }) => tip).sort((a, b) => a.settledSequence - b.settledSequence),
      older,
      counts: (path: string) => older === 0 || !olderUnknown.test(path),
    };
    this.#settled.set(portfolio, own);
    return own;
  }

  /** Takes what the site has recorded since; how many entries these are. */
  async readOn(): Promise<number> {
    const before = this.fold.last.sequence;
    for (let after: number | null = before; after !== null; ) {
      const page: z.infer<typeof ledgerPageSchema> = ledgerPageSchema.parse(
        await this.ask(`/api/ledger/entries?after=${after}`),
      );
      for (const entry of page.items) {
        this.fold.take(entry);
        if (entry.kind === 'tip-published' || entry.kind === 'tip-committed') this.tips += 1;
        if (entry.kind === 'tip-published') this.names.take(entry.content);
        if (entry.kind === 'tip-opened') this.names.take(entry.content.publication);
        if ('tip' in entry) this.#settled.delete(entry.portfolio);
      }
      after = page.next;
    }
    return this.fold.last.sequence - before;
  }
}
