import type { LedgerEntry } from '@/lib/record/schema';
import type { TimeRange } from '@/lib/reference/schema';
import { RecordFold } from '@/lib/stats/rules';
import type { BreakdownKind } from '@/lib/stats/schema';
import { expectedBreakdown, expectedMonths, expectedStatistics, expectedTip } from '@/scripts/verify/expected';
import { compareSite } from '@/scripts/verify/site';
import { SiteRecord } from '@/scripts/verify/site-record';
import { importSigner, makeLedger, rfcJwk } from './ledger';

const making = importSigner(rfcJwk).then((signer) => makeLedger(signer, { tips: 120, checkpointEvery: 1000 }));
const tipsAPage = 20;

type Answer = Record<string, unknown>;

/** A site that shows what its record says by then, and records `recordsAt` further entries before it answers. */
class BusySite {
  asked = 0;
  readonly #record: SiteRecord;

  constructor(
    private readonly entries: readonly LedgerEntry[],
    private recorded: number,
    private readonly recordsAt: (path: string, asked: number) => number,
  ) {
    let taken = 0;
    this.#record = new SiteRecord(new RecordFold(), async () => {
      const items = this.entries.slice(taken, this.recorded);
      taken = this.recorded;
      return { items, next: null };
    });
  }

  /** What was verified before the site is asked. */
  verified(): RecordFold {
    const fold = new RecordFold();
    for (const entry of this.entries.slice(0, this.recorded)) fold.take(entry);
    return fold;
  }

  readonly ask = async (path: string): Promise<Answer> => {
    this.asked += 1;
    this.recorded = Math.min(this.entries.length, this.recorded + this.recordsAt(path, this.asked));
    await this.#record.readOn();
    const { pathname, searchParams } = new URL(path, 'http://site');
    const now = new Date(this.#record.at);
    if (pathname === '/api/ledger/entries')
      return { items: this.entries.slice(Number(searchParams.get('after')), this.recorded), next: null };
    const period = Number(searchParams.get('period') ?? 0) as TimeRange;
    const statisticsOf = (portfolio: string) => expectedStatistics(this.#record.settledOf(portfolio).tips, period, now);
    const [, , , portfolio, what, kind] = pathname.split('/');
    if (portfolio === undefined)
      return {
        items: [...this.#record.portfolios].map((reference) => ({ reference, statistics: statisticsOf(reference) })),
        total: 2,
        pageSize: 25,
      };
    const { tips } = this.#record.settledOf(portfolio);
    if (what === undefined) return { statistics: statisticsOf(portfolio) };
    if (what === 'tips') return this.#list(portfolio, Number(searchParams.get('skip')));
    if (kind === 'month-overview') return { ...expectedMonths(tips, now) };
    return { ...expectedBreakdown(tips, kind as BreakdownKind, { now, names: this.#record.names }) };
  };

  #list(portfolio: string, skip: number): Answer {
    const tips = [...this.#record.tipsOf(portfolio).values()].toReversed();
    return {
      items: tips.slice(skip, skip + tipsAPage).map((tip) => ({
        analysis: null,
        ...(tip.publication
          ? { lock: null, ...expectedTip(tip, tip.publication) }
          : { lock: 'hidden', reference: tip.reference, publishedAt: tip.publishedAt }),
      })),
      next: tips.length > skip + tipsAPage ? skip + tipsAPage : null,
    };
  }
}

const openedIn = (entries: readonly LedgerEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'tip-opened' ? [entry.tip] : []));

describe('a site that records while it is compared', () => {
  it('agrees, whatever is published, opened, settled and corrected meanwhile', async () => {
    const { entries } = await making;
    const site = new BusySite(entries, 60, (_, asked) => (asked % 3 === 0 ? 1 : 0));
    let rests = 0;
    const { ok, lines } = await compareSite(site.verified(), { ask: site.ask, rest: async () => void (rests += 1) });
    expect(lines.filter((line) => line.startsWith('Differs'))).toEqual([]);
    expect(ok).toBe(true);
    expect(rests).toBeGreaterThan(0);
  });

  it('may publish while its list is paged, which moves tips onto the next page', async () => {
    const { entries } = await making;
    const site = new BusySite(entries, 300, (path) => (path.endsWith('tips?skip=20') ? 6 : 0));
    expect(await compareSite(site.verified(), site)).toMatchObject({ ok: true });
  });

  it.each([
    ['busy', 1, 3],
    ['quiet', 0, 1],
  ])('and is %s is told of what it goes on showing otherwise, once each', async (_, more, looks) => {
    const { entries } = await making;
    const site = new BusySite(entries, 300, (_, asked) => (asked % 3 === 0 ? more : 0));
    const rests: number[] = [];
    const { ok, lines } = await compareSite(site.verified(), {
      ask: async (path) => {
        const answer = await site.ask(path);
        return path.startsWith('/api/portfolio/ann/stats/month-overview') ? { ...answer, years: [] } : answer;
      },
      rest: async () => void rests.push(site.asked),
    });
    expect(ok).toBe(false);
    expect(lines.filter((line) => line.startsWith('Differs'))).toEqual([
      expect.stringMatching(/^Differs: ann, months, years: the site says \[\], /),
    ]);
    expect(rests).toHaveLength(looks);
  });
});

describe('a site that hides a portfolio while it is compared', () => {
  const answersOf = async (isHidden: (path: string, asked: number) => boolean) => {
    const { entries } = await making;
    const site = new BusySite(entries, entries.length, () => 0);
    let asked = 0;
    const ask = async (path: string) => {
      asked += 1;
      const answer = await site.ask(path);
      if (/^\/api\/portfolio\/ann\b/.test(path)) return isHidden(path, asked) ? null : answer;
      const { items } = answer as { items?: { reference?: string }[] };
      const isComparison = path.startsWith('/api/portfolio?');
      return isComparison && items && isHidden(path, asked)
        ? { ...answer, items: items.filter(({ reference }) => reference !== 'ann') }
        : answer;
    };
    const report = await compareSite(site.verified(), { ask });
    return { ...report, asked };
  };

  it('comes to a verdict without it, whenever that is', async () => {
    const { asked: all } = await answersOf(() => false);
    for (let from = 1; from <= all; from += 5) {
      const { ok, lines } = await answersOf((_, asked) => asked >= from);
      expect([from, lines.filter((line) => line.startsWith('Differs')), ok]).toEqual([from, [], true]);
      expect(lines.at(-1)).toMatch(/^Not compared: [01] portfolios /);
    }
  });

  it('is told of a call that fails though the portfolio is shown', async () => {
    await expect(answersOf((path) => path.endsWith('month-overview'))).rejects.toThrow('expected object');
  });
});

test('a portfolio of the comparison that differs is found again on the page that it has moved to', async () => {
  const { entries } = await making;
  const site = new BusySite(entries, entries.length, () => 0);
  let isMoved = false;
  const { lines } = await compareSite(site.verified(), {
    ask: async (path) => {
      const answer = await site.ask(path);
      if (!/^\/api\/portfolio\?.*period=0&/.test(path)) return answer;
      const { items } = answer as { items: { reference: string; statistics: Answer }[] };
      const page = Number(new URL(path, 'http://site').searchParams.get('page'));
      const ordered = isMoved ? items.toReversed() : items;
      const [row] = ordered.slice(page - 1, page);
      if (!row) return { ...answer, items: [], pageSize: 1 };
      const wrong = { ...row.statistics, tips: 999 };
      return { ...answer, items: [row.reference === 'ann' ? { ...row, statistics: wrong } : row], pageSize: 1 };
    },
    rest: async () => void (isMoved = true),
  });
  expect(lines.filter((line) => line.startsWith('Differs'))).toEqual([
    expect.stringMatching(/^Differs: comparison, .*, ann, tips: the site says 999, /),
  ]);
});

describe('a tip that a site lists', () => {
  const compareWith = async (alter: (tip: Answer, at: string) => Answer) => {
    const { entries } = await making;
    const site = new BusySite(entries, entries.length, () => 0);
    const { lines } = await compareSite(site.verified(), {
      ask: async (path) => {
        const answer = await site.ask(path);
        return path.includes('/tips?')
          ? { ...answer, items: (answer.items as Answer[]).map((tip) => alter(tip, entries.at(-1)!.at)) }
          : answer;
      },
    });
    return lines.filter((line) => line.startsWith('Differs'));
  };

  it('may not be locked once the record has opened it', async () => {
    const { entries } = await making;
    const [opened] = openedIn(entries);
    expect(
      await compareWith((tip) => (tip.reference === opened ? { ...tip, lock: 'members', legs: [] } : tip)),
    ).toEqual([
      expect.stringMatching(
        new RegExp(`^Differs: \\w+, tip ${opened}, lock: the site says "members", the record null$`),
      ),
    ]);
  });

  it('has the least price that it was published with, or none', async () => {
    const minPrice = { oddsThousandths: 1500, fraction: null };
    expect(await compareWith((tip) => (tip.reference === 'tip-7' ? { ...tip, minPrice } : tip))).toEqual([
      expect.stringMatching(/^Differs: \w+, tip tip-7, minPrice: the site says \{"oddsThousandths":1500,/),
    ]);
  });

  it('is missed where the site lists it not', async () => {
    const missed = await compareWith((tip) => (tip.reference === 'tip-7' ? { ...tip, reference: 'tip-8' } : tip));
    expect(missed).toContainEqual(expect.stringMatching(/tip tip-7: the site says null, the record "a tip"$/));
  });
});
