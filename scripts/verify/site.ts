import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { LedgerItem } from '@/lib/record/rules';
import { ledgerPageSchema } from '@/lib/record/schema';
import { TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { recordDay, type RecordedTip, type RecordFold, settledTipIn } from '@/lib/stats/rules';
import { type BreakdownKind, breakdownKinds, type BreakdownView, type SettledTip } from '@/lib/stats/schema';
import { routes } from '@/lib/routes';
import { type Difference, differences, differenceText } from './differences';
import {
  expectedBreakdown,
  expectedCurve,
  expectedMonths,
  expectedStatistics,
  expectedTip,
  RecordNames,
  unnumbered,
} from './expected';
import { recordPageDifferences, statsPageDifferences, tipPageDifferences } from './pages';

/** Asks a site for the JSON at a path; null where it answers that there is no such thing. */
export type Ask = (path: string) => Promise<unknown>;

/** Asks a site for the HTML of a page, as everybody is served it. */
export type AskPage = (path: string) => Promise<string>;

/** How a site is asked: for answers, and for pages unless they are left out; and who hears how many tips of how many were gone through. */
export type Asking = { ask: Ask; askPage?: AskPage; onProgress?: (tips: number, of: number) => void };

/** Passes the items of an export on and folds its entries on the way. */
export async function* folded(items: AsyncIterable<LedgerItem>, fold: RecordFold): AsyncGenerator<LedgerItem> {
  for await (const item of items) {
    if ('record' in item && 'entry' in item.record) fold.take(item.record.entry);
    yield item;
  }
}

type Compared = { portfolios: number; hidden: number; tips: number; pages: number; locked: number; older: number };

// A settlement of the older format tells amounts at advised stakes, and nothing of these.
const olderUnknown = /(^|\.)(level|luckProbability|clvPercent|noVigClvPercent|followers)(\.|$)/;

const windowed = z.looseObject({ window: z.looseObject({ until: z.iso.datetime() }).nullable() });
const portfolioAnswer = z.object({ statistics: windowed });
const tipsAnswer = z.object({
  items: z.array(
    z.looseObject({
      reference: z.string(),
      lock: z.string().nullable(),
      analysis: z.string().nullable(),
      publishedAt: z.string(),
    }),
  ),
  next: z.int().nullable(),
});
const breakdownAnswer = windowed.extend({
  kind: z.enum(breakdownKinds),
  rows: z.array(z.looseObject({ label: z.string() })),
});
const comparisonAnswer = z.object({
  items: z.array(z.looseObject({ reference: z.string(), statistics: windowed })),
  total: z.int(),
  pageSize: z.int(),
});

/** The moment that an answer was computed at; of a record without tips any will do. */
const untilOf = ({ window }: z.infer<typeof windowed>, last: string) => new Date(window?.until ?? last);

const keptMilliseconds = 3_600_000;

/** The moments that a page served then may have been made at, as far as they fall on other days: it may have been kept for a while. */
function momentsBefore(until: Date): Date[] {
  const earlier = new Date(until.getTime() - keptMilliseconds);
  return recordDay(earlier) === recordDay(until) ? [until] : [until, earlier];
}

class SiteComparison {
  readonly found: Difference[] = [];
  readonly compared: Compared = { portfolios: 0, hidden: 0, tips: 0, pages: 0, locked: 0, older: 0 };
  readonly #names = new RecordNames();
  #gone = 0;
  #all = 0;
  readonly #settled = new Map<string, { tips: SettledTip[]; counts: (path: string) => boolean }>();

  constructor(
    private readonly fold: RecordFold,
    private readonly asking: Asking,
  ) {}

  get ask(): Ask {
    return this.asking.ask;
  }

  async run(): Promise<void> {
    const portfolios = this.fold.portfolios();
    for (const tips of portfolios.values())
      for (const { publication } of tips) if (publication) this.#names.take(publication);
    this.#all = [...portfolios.values()].reduce((sum, tips) => sum + tips.length, 0);
    for (const [portfolio, tips] of portfolios) await this.#comparePortfolio(portfolio, tips);
    await this.#compareComparison();
  }

  #statisticsOf(portfolio: string, tips: readonly RecordedTip[]) {
    const settled = tips.flatMap((tip) => settledTipIn(tip, this.#names.numberOf) ?? []);
    const older = settled.filter(({ isWhole }) => !isWhole).length;
    const own = {
      tips: settled.map(({ tip }) => tip).sort((a, b) => a.settledSequence - b.settledSequence),
      counts: (path: string) => older === 0 || !olderUnknown.test(path),
    };
    this.#settled.set(portfolio, own);
    this.compared.older += older;
    return own;
  }

  async #comparePortfolio(portfolio: string, tips: readonly RecordedTip[]): Promise<void> {
    const call = `/api/portfolio/${portfolio}`;
    const { tips: settled, counts } = this.#statisticsOf(portfolio, tips);
    if ((await this.ask(call)) === null) {
      this.compared.hidden += 1;
      return;
    }
    this.compared.portfolios += 1;
    for (const range of Object.values(TimeRange)) {
      const answer = await this.ask(`${call}?period=${range}`);
      const { statistics } = portfolioAnswer.parse(answer);
      const expected = expectedStatistics(settled, range, untilOf(statistics, this.fold.last.at));
      this.found.push(
        ...differences(
          `${portfolio}, statistics, ${timeRangeNames[range].toLowerCase()}`,
          (answer as { statistics: unknown }).statistics,
          expected,
          counts,
        ),
      );
    }
    const months = await this.ask(`${call}/stats/month-overview`);
    this.found.push(
      ...differences(
        `${portfolio}, months`,
        months,
        expectedMonths(settled, untilOf(windowed.parse(months), this.fold.last.at)),
        counts,
      ),
    );
    const names = this.#names;
    // The names of leagues stand in the record since settlements state facts.
    const kinds = breakdownKinds.filter(
      (kind) => this.compared.older === 0 || (kind !== 'league' && kind !== 'bookmaker'),
    );
    for (const kind of kinds) {
      const breakdown = breakdownAnswer.parse(await this.ask(`${call}/stats/${kind}/${TimeRange.allTime}`));
      const expected = expectedBreakdown(settled, kind, { now: untilOf(breakdown, this.fold.last.at), names });
      this.found.push(
        ...differences(
          `${portfolio}, breakdown by ${kind}`,
          unnumbered(breakdown as unknown as BreakdownView),
          unnumbered(expected),
          counts,
        ),
      );
    }
    if (this.asking.askPage && settled.length > 0)
      await this.#comparePages(portfolio, { settled, kinds, isOlder: !counts('level') }, this.asking.askPage);
    await this.#compareTips(portfolio, tips);
  }

  async #comparePages(
    portfolio: string,
    { settled, kinds, isOlder }: { settled: readonly SettledTip[]; kinds: readonly BreakdownKind[]; isOlder: boolean },
    askPage: AskPage,
  ): Promise<void> {
    const names = this.#names;
    for (const range of Object.values(TimeRange)) {
      const html = await askPage(routes.portfolioPage(portfolio, 'stats', { period: range }));
      const { statistics } = portfolioAnswer.parse(await this.ask(`/api/portfolio/${portfolio}?period=${range}`));
      const until = untilOf(statistics, this.fold.last.at);
      const differing = momentsBefore(until).map((now) =>
        statsPageDifferences(
          html,
          portfolio,
          {
            range,
            statistics: expectedStatistics(settled, range, now),
            months: expectedMonths(settled, now),
            breakdowns: kinds.map((kind) => expectedBreakdown(settled, kind, { now, names, range })),
            curve: expectedCurve(settled, 'level'),
          },
          { isOlder },
        ),
      );
      if (differing.every((found) => found.length > 0)) this.found.push(...(differing[0] ?? []));
      this.compared.pages += 1;
    }
    const html = await askPage(routes.portfolio(portfolio, { period: TimeRange.allTime }));
    const expected = {
      statistics: expectedStatistics(settled, TimeRange.allTime, new Date(this.fold.last.at)),
      curve: expectedCurve(settled, 'advised'),
    };
    this.found.push(...recordPageDifferences(html, portfolio, expected));
    this.compared.pages += 1;
  }

  async #compareTips(portfolio: string, tips: readonly RecordedTip[]): Promise<void> {
    const recorded = new Map(tips.map((tip) => [tip.reference, tip]));
    for (let skip: number | null = 0; skip !== null; ) {
      const page: z.infer<typeof tipsAnswer> = tipsAnswer.parse(
        await this.ask(`/api/portfolio/${portfolio}/tips?skip=${skip}`),
      );
      for (const shown of page.items) {
        const tip = recorded.get(shown.reference);
        if (tip) await this.#compareTip(shown, tip);
        else if (shown.publishedAt <= this.fold.last.at)
          this.found.push({ where: `${portfolio}, tip ${shown.reference}`, site: 'a tip', record: null });
        recorded.delete(shown.reference);
      }
      skip = page.next;
    }
    for (const { reference } of recorded.values())
      this.found.push({ where: `${portfolio}, tip ${reference}`, site: null, record: 'a tip' });
  }

  async #compareTip(shown: z.infer<typeof tipsAnswer>['items'][number], tip: RecordedTip): Promise<void> {
    const { publication } = tip;
    this.#gone += 1;
    this.asking.onProgress?.(this.#gone, this.#all);
    if (shown.lock !== null || !publication) {
      this.compared.locked += 1;
      return;
    }
    this.compared.tips += 1;
    const where = `${tip.portfolio}, tip ${tip.reference}`;
    this.found.push(...differences(where, shown, expectedTip(tip, publication)));
    const hash =
      shown.analysis === null ? publication.analysisHash : createHash('sha256').update(shown.analysis).digest('hex');
    if (hash !== publication.analysisHash)
      this.found.push({ where: `${where}, SHA-256 of the analysis`, site: hash, record: publication.analysisHash });
    if (!this.asking.askPage) return;
    const html = await this.asking.askPage(routes.tip(tip.portfolio, tip.reference));
    this.found.push(...tipPageDifferences(html, tip, publication));
    this.compared.pages += 1;
  }

  async #compareComparison(): Promise<void> {
    for (const period of Object.values(TimeRange)) {
      for (let page = 1, more = true; more; page += 1) {
        const answer = await this.ask(
          `/api/portfolio?sportId=0&portfolioType=0&period=${period}&tips=1&minOdds=1.001&page=${page}`,
        );
        const { items, pageSize } = comparisonAnswer.parse(answer);
        for (const { reference, statistics } of items) {
          const where = `comparison, ${timeRangeNames[period].toLowerCase()}, ${reference}`;
          const own = this.#settled.get(reference);
          if (own)
            this.found.push(
              ...differences(
                where,
                statistics,
                expectedStatistics(own.tips, period, untilOf(statistics, this.fold.last.at)),
                (path) => !path.endsWith('luckProbability') && own.counts(path),
              ),
            );
          else this.found.push({ where, site: 'a portfolio', record: null });
        }
        more = items.length === pageSize;
      }
    }
  }
}

async function readOn(fold: RecordFold, ask: Ask): Promise<number> {
  const before = fold.last.sequence;
  for (let after: number | null = before; after !== null; ) {
    const page: z.infer<typeof ledgerPageSchema> = ledgerPageSchema.parse(
      await ask(`/api/ledger/entries?after=${after}`),
    );
    for (const entry of page.items) fold.take(entry);
    after = page.next;
  }
  return fold.last.sequence - before;
}

const tries = 3;

/**
 * Ours (0044): compares what a site shows of every portfolio on the verified record with what the record says: statistics over every time range,
 * months, breakdowns, the comparison, and all tips that are open; of these, and of the statistics, also the pages in HTML. What the site records meanwhile is read on and compared again. Returns the
 * lines to print, and whether all agreed.
 */
export async function compareSite(fold: RecordFold, asking: Asking): Promise<{ ok: boolean; lines: string[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const comparison = new SiteComparison(fold, asking);
    await comparison.run();
    const { found, compared } = comparison;
    if (found.length > 0 && attempt < tries && (await readOn(fold, asking.ask)) > 0) continue;
    const { portfolios, hidden, tips, pages, locked, older } = compared;
    return {
      ok: found.length === 0,
      lines: [
        ...found.map((difference) => `Differs: ${differenceText(difference)}`),
        `${found.length === 0 ? 'The site shows what the record says' : `The site differs from the record in ${found.length} figures`}: statistics, months and breakdowns of ${portfolios} portfolios, ${tips} tips, ${asking.askPage ? `${pages} pages as everybody is served them, ` : ''}and the comparison.`,
        `Not compared: ${hidden} portfolios that the site does not show to everybody, ${locked} tips that are still closed.${older > 0 ? ` ${older} settlements of the older format were compared in what it tells.` : ''}`,
      ],
    };
  }
}
