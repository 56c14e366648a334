import { z } from 'zod';
import { maxPageEntries } from '../schema/entries';
import { readRecord, unreadable, type LedgerItem } from './records';

const checkpointsAnswer = z.object({
  format: z.unknown(),
  keys: z.array(z.unknown()),
  checkpoints: z.array(z.unknown()),
  log: z.object({ note: z.unknown(), cosignedNote: z.unknown() }).nullish(),
});
const pageAnswer = z.object({ items: z.array(z.unknown()), next: z.int().min(1).nullable() });

/**
 * Product §6: the records of a ledger that a site serves page by page. `call` fetches the JSON of `checkpoint` and of
 * `entries?after=…&limit=…` under /api/ledger/. Checkpoints come first, so that every entry they cover is there when asked for.
 */
export async function* readLedgerPages(call: (address: string) => Promise<unknown>): AsyncGenerator<LedgerItem> {
  const answer = checkpointsAnswer.safeParse(await call('checkpoint'));
  if (!answer.success)
    return yield unreadable('The checkpoint call', 'does not answer with keys and checkpoints; check the address.');
  const { format, keys, checkpoints, log } = answer.data;
  yield readRecord('The checkpoint call', { format, portfolio: null });
  for (const [index, key] of keys.entries()) yield readRecord(`keys[${index}]`, { key });
  for (const [index, checkpoint] of checkpoints.entries()) yield readRecord(`checkpoints[${index}]`, { checkpoint });
  if (log?.cosignedNote) yield readRecord('log.cosignedNote', { note: log.cosignedNote });
  if (log) yield readRecord('log.note', { note: log.note });
  for (let after: number | null = 0; after !== null; ) {
    const address = `entries?after=${after}&limit=${maxPageEntries}`;
    const page = pageAnswer.safeParse(await call(address));
    if (!page.success) return yield unreadable(address, 'does not answer with a page of entries; check the address.');
    const { items, next } = page.data;
    for (const [index, entry] of items.entries()) yield readRecord(`${address}, items[${index}]`, { entry });
    if (next !== null && next <= after)
      return yield unreadable(address, `goes on after entry ${next}, which would never end.`);
    after = next;
  }
}
