import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { RecordedTip } from '@/lib/stats/rules';
import { type Difference, differences } from './differences';
import { expectedTip } from './expected';
import type { SiteRecord } from './site-record';

const answerSchema = z.object({
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

/** A tip as a site lists it, and where in the list its page begins. */
export type ListedTip = { shown: z.infer<typeof answerSchema>['items'][number]; skip: number };

/** The tips that a site lists of a portfolio, each once: what is published meanwhile moves others onto the next page. The record is read on before each page. */
export async function* listedTips(record: SiteRecord, portfolio: string, from = 0): AsyncGenerator<ListedTip> {
  const seen = new Set<string>();
  for (let skip: number | null = from; skip !== null; ) {
    await record.readOn();
    const page: z.infer<typeof answerSchema> = answerSchema.parse(
      await record.ask(`/api/portfolio/${portfolio}/tips?skip=${skip}`),
    );
    for (const shown of page.items.filter(({ reference }) => !seen.has(reference))) {
      seen.add(shown.reference);
      yield { shown, skip };
    }
    skip = page.next;
  }
}

/** Whether a site lists just the tips of a portfolio that are on its record; `compare` is given each that is. */
export async function listDifferences(
  record: SiteRecord,
  portfolio: string,
  compare: (listed: ListedTip, tip: RecordedTip) => Promise<void> = async () => undefined,
): Promise<Difference[]> {
  const missing = new Set(record.tipsOf(portfolio).keys());
  const found: Difference[] = [];
  for await (const listed of listedTips(record, portfolio)) {
    const { reference, publishedAt } = listed.shown;
    missing.delete(reference);
    const tip = record.tipsOf(portfolio).get(reference);
    if (tip) await compare(listed, tip);
    else if (publishedAt <= record.at)
      found.push({ where: `${portfolio}, tip ${reference}`, site: 'a tip', record: null });
  }
  return [...found, ...[...missing].map((reference) => notListed(portfolio, reference))];
}

const notListed = (portfolio: string, reference: string): Difference => ({
  where: `${portfolio}, tip ${reference}`,
  site: null,
  record: 'a tip',
});

/** What differs of a tip that is listed, null while it is closed; once the record has opened it and it has started, nothing may keep it locked. */
export function tipDifferences({ shown }: ListedTip, tip: RecordedTip, at: string): Difference[] | null {
  const { publication } = tip;
  const where = `${tip.portfolio}, tip ${tip.reference}`;
  if (!publication) return null;
  if (shown.lock !== null)
    return publication.legs.some(({ startsAt }) => startsAt <= at)
      ? [{ where: `${where}, lock`, site: shown.lock, record: null }]
      : null;
  const { analysisHash } = publication;
  const hash = shown.analysis === null ? analysisHash : createHash('sha256').update(shown.analysis).digest('hex');
  return [
    ...differences(where, shown, expectedTip(tip, publication)),
    ...(hash === analysisHash
      ? []
      : [{ where: `${where}, SHA-256 of the analysis`, site: hash, record: analysisHash }]),
  ];
}

/** The same of one tip, looked for from a place in the list where it was: tips only move down. */
export async function tipDifferencesFrom(record: SiteRecord, tip: RecordedTip, skip: number): Promise<Difference[]> {
  for await (const listed of listedTips(record, tip.portfolio, skip))
    if (listed.shown.reference === tip.reference) return tipDifferences(listed, tip, record.at) ?? [];
  return [notListed(tip.portfolio, tip.reference)];
}
