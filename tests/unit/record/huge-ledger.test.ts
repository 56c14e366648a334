import { createHash } from 'node:crypto';
import { canonicalJson, readLedger, verifyLedger } from '@/lib/record/rules';
import { headAfter } from '@/lib/record/rules/entry';
import { writeLedger } from '@/lib/record/rules/write-ledger';
import type { LedgerEntry } from '@/lib/record/schema';
import type { LedgerRecord } from '@/lib/record/schema/records';
import {
  dice,
  importSigner,
  LedgerMaker,
  minutesAfter,
  publicationAt,
  recordsOf,
  rfcJwk,
  settlementOf,
} from './ledger';
import { trialSize } from '../../support/trial-size';

const tips = trialSize('HUGE_LEDGER_TIPS', 6_000);

async function* bytesOf(records: Iterable<LedgerRecord>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of writeLedger(records, 'ndjson')) yield encoder.encode(text);
}

/** Appends as the ledger does, with the hash that node:crypto finds: one at a time, Web Crypto takes long over so many. */
function appendTo(
  ledger: LedgerMaker,
  entry: Omit<
    Extract<LedgerEntry, { kind: 'tip-published' }> | Extract<LedgerEntry, { kind: 'tip-settled' }>,
    'sequence' | 'previousHash' | 'hash'
  >,
): void {
  const body = { ...entry, sequence: ledger.head.sequence + 1, previousHash: ledger.head.hash };
  const sealed = { ...body, hash: createHash('sha256').update(canonicalJson(body)).digest('hex') } as LedgerEntry;
  ledger.entries.push(sealed);
  ledger.head = headAfter(sealed);
}

it(`a ledger of ${(2 * tips).toLocaleString('en-GB')} entries is verified as it streams by`, async () => {
  const signer = await importSigner(rfcJwk);
  const ledger = new LedgerMaker();
  const roll = dice(50_000);
  let at = '2026-03-01T00:00:00.000Z';
  for (let number = 1; number <= tips; number += 1) {
    at = minutesAfter(at, 1);
    const subject = { portfolio: `portfolio-${number % 50}`, tip: `tip-${number}`, at };
    const numberOfPortfolio = Math.ceil(number / 50);
    const publication = publicationAt(roll, number, minutesAfter(at, 1));
    appendTo(ledger, {
      ...subject,
      portfolioSequence: 2 * numberOfPortfolio - 1,
      kind: 'tip-published',
      content: publication,
    });
    appendTo(ledger, {
      ...subject,
      portfolioSequence: 2 * numberOfPortfolio,
      kind: 'tip-settled',
      content: settlementOf(publication, ['lost']),
    });
    if (number % 1000 === 0) await ledger.sign(signer, at);
  }
  const seen: number[] = [];
  const report = await verifyLedger(readLedger(bytesOf(recordsOf(ledger, [signer.key]))), {
    trustedKeyIds: [signer.keyId],
    onProgress: (entries) => seen.push(entries),
  });
  expect(report).toMatchObject({
    ok: true,
    entries: 2 * tips,
    signedUpTo: 2 * tips,
    checkpoints: tips / 1_000,
    counts: { published: tips, settled: tips, recomputed: tips, notRecomputed: 0 },
  });
  expect(seen.length).toBeGreaterThan(tips / 500);
}, 600_000);
