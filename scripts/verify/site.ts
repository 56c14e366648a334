import { z } from 'zod';
import type { LedgerItem } from '@/lib/record/rules';
import { TimeRange, timeRangeNames } from '@/lib/reference/schema';
import { recordDay, type RecordedTip, type RecordFold } from '@/lib/stats/rules';
import { type BreakdownKind, breakdownKinds, type BreakdownView } from '@/lib/stats/schema';
import { routes } from '@/lib/routes';
import { type Difference, differences, differenceText } from './differences';
import { type Compare, Doubts } from './doubts';
import { expectedBreakdown, expectedCurve, expectedMonths, expectedStatistics, unnumbered } from './expected';
import { listDifferences, type ListedTip, tipDifferences, tipDifferencesFrom } from './listed-tips';
import { recordPageDifferences, statsPageDifferences, tipPageDifferences } from './pages';
import { type Ask, SiteRecord } from './site-record';

/** Asks a site for the HTML of a page, as everybody is served it. */
export type AskPage = (path: string) => Promise<string>;

/** How a site is asked: for answers, and for pages unless they are left out; how long it is left alone before what differed is looked at again; and who hears how many tips of how many were gone through. */
export type Asking = {
  ask: Ask;
  askPage?: AskPage;
  rest?: () => Promise<void>;
  onProgress?: (tips: number, of: number) => void;
};

/** Passes the items of an export on and folds its entries on the way. */
export async function* folded(items: AsyncIterable<LedgerItem>, fold: RecordFold): AsyncGenerator<LedgerItem> {
  for await (const item of items) {
    if ('record' in item && 'entry' in item.record) fold.take(item.record.entry);
    yield item;
  }
}

type Compared = { portfolios: number; hidden: number; tips: number; pages: number; locked: number; older: number };

const windowed = z.looseObject({ window: z.looseObject({ until: z.iso.datetime() }).nullable() });
const portfolioAnswer = z.object({ statistics: windowed });
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
  readonly compared: Compared = { portfolios: 0, hidden: 0, tips: 0, pages: 0, locked: 0, older: 0 };
  readonly #record: SiteRecord;
  readonly #doubts = new Doubts();
  readonly #hidden = new Set<string>();
  #gone = 0;

  constructor(
    fold: RecordFold,
    private readonly asking: Asking,
  ) {
    this.#record = new SiteRecord(fold, asking.ask);
  }

  get ask(): Ask {
    return this.asking.ask;
  }

  async run(): Promise<Difference[]> {
    for (const portfolio of this.#record.portfolios) {
      await this.#record.readOn();
      await this.#comparePortfolio(portfolio);
    }
    await this.#record.readOn();
    await this.#compareComparison();
    return this.#doubts.lasting(() => this.#record.readOn(), this.asking.rest ?? (async () => undefined));
  }

  async #isShown(portfolio: string): Promise<boolean> {
    return (await this.ask(`/api/portfolio/${portfolio}`)) !== null;
  }

  /** Compares what a portfolio shows as long as it is shown: a site may hide it at any moment. */
  #whileShown(portfolio: string, compare: Compare): Compare {
    return async () => {
      if (this.#hidden.has(portfolio)) return [];
      try {
        return await compare();
      } catch (error) {
        if (await this.#isShown(portfolio)) throw error;
        this.#hidden.add(portfolio);
        return [];
      }
    };
  }

  async #comparePortfolio(portfolio: string): Promise<void> {
    if (await this.#isShown(portfolio)) await this.#compareShown(portfolio);
    else this.#hidden.add(portfolio);
    if (this.#hidden.has(portfolio)) this.compared.hidden += 1;
    else this.compared.portfolios += 1;
  }

  async #compareShown(portfolio: string): Promise<void> {
    const check = (compare: Compare) => this.#doubts.check(this.#whileShown(portfolio, compare));
    const { tips, older } = this.#record.settledOf(portfolio);
    this.compared.older += older;
    // The names of leagues stand in the record since settlements state facts.
    const kinds = breakdownKinds.filter((kind) => older === 0 || (kind !== 'league' && kind !== 'bookmaker'));
    for (const range of Object.values(TimeRange)) await check(() => this.#statistics(portfolio, range));
    await check(() => this.#months(portfolio));
    for (const kind of kinds) await check(() => this.#breakdown(portfolio, kind));
    const { askPage } = this.asking;
    if (askPage && tips.length > 0) {
      for (const range of Object.values(TimeRange)) {
        await check(() => this.#statsPage(portfolio, { range, kinds }, askPage));
        this.compared.pages += 1;
      }
      await check(() => this.#recordPage(portfolio, askPage));
      this.compared.pages += 1;
    }
    const compareTips = () => listDifferences(this.#record, portfolio, (...each) => this.#compareTip(...each));
    this.#doubts.note(
      await this.#whileShown(portfolio, compareTips)(),
      this.#whileShown(portfolio, () => listDifferences(this.#record, portfolio)),
    );
  }

  async #statistics(portfolio: string, range: TimeRange): Promise<Difference[]> {
    const answer = await this.ask(`/api/portfolio/${portfolio}?period=${range}`);
    const { statistics } = portfolioAnswer.parse(answer);
    const { tips, counts } = this.#record.settledOf(portfolio);
    return differences(
      `${portfolio}, statistics, ${timeRangeNames[range].toLowerCase()}`,
      (answer as { statistics: unknown }).statistics,
      expectedStatistics(tips, range, untilOf(statistics, this.#record.at)),
      counts,
    );
  }

  async #months(portfolio: string): Promise<Difference[]> {
    const months = await this.ask(`/api/portfolio/${portfolio}/stats/month-overview`);
    const { tips, counts } = this.#record.settledOf(portfolio);
    const expected = expectedMonths(tips, untilOf(windowed.parse(months), this.#record.at));
    return differences(`${portfolio}, months`, months, expected, counts);
  }

  async #breakdown(portfolio: string, kind: BreakdownKind): Promise<Difference[]> {
    const breakdown = breakdownAnswer.parse(
      await this.ask(`/api/portfolio/${portfolio}/stats/${kind}/${TimeRange.allTime}`),
    );
    const { tips, counts } = this.#record.settledOf(portfolio);
    const { names, at } = this.#record;
    return differences(
      `${portfolio}, breakdown by ${kind}`,
      unnumbered(breakdown as unknown as BreakdownView),
      unnumbered(expectedBreakdown(tips, kind, { now: untilOf(breakdown, at), names })),
      counts,
    );
  }

  async #statsPage(
    portfolio: string,
    { range, kinds }: { range: TimeRange; kinds: readonly BreakdownKind[] },
    askPage: AskPage,
  ): Promise<Difference[]> {
    const html = await askPage(routes.portfolioPage(portfolio, 'stats', { period: range }));
    const { statistics } = portfolioAnswer.parse(await this.ask(`/api/portfolio/${portfolio}?period=${range}`));
    const { tips, older } = this.#record.settledOf(portfolio);
    const { names, at } = this.#record;
    const differing = momentsBefore(untilOf(statistics, at)).map((now) =>
      statsPageDifferences(
        html,
        portfolio,
        {
          range,
          statistics: expectedStatistics(tips, range, now),
          months: expectedMonths(tips, now),
          breakdowns: kinds.map((kind) => expectedBreakdown(tips, kind, { now, names, range })),
          curve: expectedCurve(tips, 'level'),
        },
        { isOlder: older > 0 },
      ),
    );
    return differing.some((found) => found.length === 0) ? [] : (differing[0] ?? []);
  }

  async #recordPage(portfolio: string, askPage: AskPage): Promise<Difference[]> {
    const html = await askPage(routes.portfolio(portfolio, { period: TimeRange.allTime }));
    const { tips } = this.#record.settledOf(portfolio);
    return recordPageDifferences(html, portfolio, {
      statistics: expectedStatistics(tips, TimeRange.allTime, new Date(this.#record.at)),
      curve: expectedCurve(tips, 'advised'),
    });
  }

  async #compareTip(listed: ListedTip, tip: RecordedTip): Promise<void> {
    this.#gone += 1;
    this.asking.onProgress?.(this.#gone, this.#record.tips);
    const found = tipDifferences(listed, tip, this.#record.at);
    if (!found) {
      this.compared.locked += 1;
      return;
    }
    this.compared.tips += 1;
    const compareAgain = () => tipDifferencesFrom(this.#record, tip, listed.skip);
    this.#doubts.note(found, this.#whileShown(tip.portfolio, compareAgain));
    const { askPage } = this.asking;
    if (!askPage || listed.shown.lock !== null) return;
    await this.#doubts.check(this.#whileShown(tip.portfolio, () => this.#tipPage(tip, askPage)));
    this.compared.pages += 1;
  }

  async #tipPage(tip: RecordedTip, askPage: AskPage): Promise<Difference[]> {
    const html = await askPage(routes.tip(tip.portfolio, tip.reference));
    return tip.publication ? tipPageDifferences(html, tip, tip.publication) : [];
  }

  async #compareComparison(): Promise<void> {
    for (const period of Object.values(TimeRange))
      for await (const { reference, found } of this.#comparisonRows(period))
        this.#doubts.note(found, () => this.#comparisonRow(period, reference));
  }

  /** What differs of one portfolio in the comparison, on whichever page it stands by now; nothing where it stands on none. */
  async #comparisonRow(period: TimeRange, wanted: string): Promise<Difference[]> {
    for await (const { reference, found } of this.#comparisonRows(period)) if (reference === wanted) return found;
    return [];
  }

  async *#comparisonRows(period: TimeRange): AsyncGenerator<{ reference: string; found: Difference[] }> {
    for (let page = 1, isLast = false; !isLast; page += 1) {
      const shown = await this.#comparisonPage(period, page);
      yield* shown.rows;
      ({ isLast } = shown);
    }
  }

  async #comparisonPage(
    period: TimeRange,
    page: number,
  ): Promise<{ rows: { reference: string; found: Difference[] }[]; isLast: boolean }> {
    const answer = await this.ask(
      `/api/portfolio?sportId=0&portfolioType=0&period=${period}&tips=1&minOdds=1.001&page=${page}`,
    );
    const { items, pageSize } = comparisonAnswer.parse(answer);
    const rows = items.map(({ reference, statistics }) => {
      const where = `comparison, ${timeRangeNames[period].toLowerCase()}, ${reference}`;
      if (!this.#record.has(reference)) return { reference, found: [{ where, site: 'a portfolio', record: null }] };
      const { tips, counts } = this.#record.settledOf(reference);
      const found = differences(
        where,
        statistics,
        expectedStatistics(tips, period, untilOf(statistics, this.#record.at)),
        (path) => !path.endsWith('luckProbability') && counts(path),
      );
      return { reference, found };
    });
    return { rows, isLast: items.length < pageSize };
  }
}

/**
 * Ours (0044): compares what a site shows of every portfolio on the verified record with what the record says: statistics over every time range,
 * months, breakdowns, the comparison, and all tips that are open; of these, and of the statistics, also the pages in HTML. What differs is
 * compared again by what the site has recorded meanwhile, and told if it lasts. Returns the lines to print, and whether all agreed.
 */
export async function compareSite(fold: RecordFold, asking: Asking): Promise<{ ok: boolean; lines: string[] }> {
  const comparison = new SiteComparison(fold, asking);
  const found = await comparison.run();
  const { portfolios, hidden, tips, pages, locked, older } = comparison.compared;
  return {
    ok: found.length === 0,
    lines: [
      ...found.map((difference) => `Differs: ${differenceText(difference)}`),
      `${found.length === 0 ? 'The site shows what the record says' : `The site differs from the record in ${found.length} figures`}: statistics, months and breakdowns of ${portfolios} portfolios, ${tips} tips, ${asking.askPage ? `${pages} pages as everybody is served them, ` : ''}and the comparison.`,
      `Not compared: ${hidden} portfolios that the site does not show to everybody, ${locked} tips that are still closed.${older > 0 ? ` ${older} settlements of the older format were compared in what it tells.` : ''}`,
    ],
  };
}
