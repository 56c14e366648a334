import { createHash, createPublicKey, verify } from 'node:crypto';
import { commitmentOf, genesisHead, hashEntry, keyIdOf } from '@/lib/record/rules';
import { isSignedBy, signCheckpoint } from '@/lib/record/rules/checkpoint';
import { deadlineOf, type EntryDraft, headAfter } from '@/lib/record/rules/entry';
import type { LedgerEntry } from '@/lib/record/schema';
import { ledgerKeySchema } from '@/lib/record/schema/checkpoints';
import { entrySchema, genesisHash } from '@/lib/record/schema/entries';
import { dice, importSigner, makeLedger, minutesAfter, publicationAt, rfcJwk, sealEntry } from './ledger';

/** Canonical JSON of values whose names are ASCII and whose numbers are integers, made without the library. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join(',')}}`;
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

const at = '2026-03-10T12:00:00.000Z';
const publication = publicationAt(dice(3), 1, '2026-03-10T15:00:00.000Z');
const draft: EntryDraft = {
  portfolioSequence: 1,
  at,
  kind: 'tip-published',
  portfolio: 'ann',
  tip: 'tip-1',
  content: publication,
};

describe('an entry', () => {
  it('is hashed over its canonical JSON without the hash, in which the hash before stands, as node:crypto finds too', async () => {
    const { entries } = await makeLedger(await importSigner(rfcJwk), { tips: 40, checkpointEvery: 100 });
    let previousHash = genesisHash;
    expect(new Set(entries.map(({ kind }) => kind)).size).toBe(5);
    for (const entry of entries) {
      const { hash, ...rest } = entry;
      expect(rest.previousHash).toBe(previousHash);
      expect(hash).toBe(sha256(sorted(rest)));
      previousHash = hash;
    }
  });

  it('has this hash, for ever', async () => {
    const content = { commitment: '11'.repeat(32), opensAt: '2026-03-10T15:00:00.000Z' };
    const entry = await sealEntry(
      { portfolioSequence: 1, at, kind: 'tip-committed', portfolio: 'ann', tip: 'tip-1', content },
      genesisHead,
    );
    const text = `{"at":"2026-03-10T12:00:00.000Z","content":{"commitment":"${'11'.repeat(32)}","opensAt":"2026-03-10T15:00:00.000Z"},"kind":"tip-committed","portfolio":"ann","portfolioSequence":1,"previousHash":"${genesisHash}","sequence":1,"tip":"tip-1"}`;
    expect(entry.hash).toBe(sha256(text));
    expect(entry.hash).toBe('998fb36612052e67ce806c3d4864480f08bb2a3a135d16c99fac5c0ff7cec188');
  });

  it('takes the next place', async () => {
    const first = await sealEntry(draft, genesisHead);
    const second = await sealEntry({ ...draft, tip: 'tip-2', portfolioSequence: 2 }, headAfter(first));
    expect([first.sequence, second.sequence, second.at, second.previousHash]).toEqual([1, 2, at, first.hash]);
    expect(await hashEntry(second)).toBe(second.hash);
  });

  it('is refused with a date before that of the entry before, by a millisecond or more, and never dated otherwise than it says', async () => {
    const head = headAfter(await sealEntry(draft, genesisHead));
    for (const before of [1, 60_000, 3_600_000]) {
      const early = {
        ...draft,
        tip: 'tip-2',
        at: new Date(Date.parse(at) - before).toISOString(),
        portfolioSequence: 2,
      };
      await expect(sealEntry(early, head)).rejects.toThrow('cannot follow');
    }
  });

  it.each<[string, EntryDraft]>([
    ['publishes', draft],
    [
      'commits',
      {
        ...draft,
        kind: 'tip-committed',
        content: { commitment: '11'.repeat(32), opensAt: '2026-03-10T15:00:00.000Z' },
      } as EntryDraft,
    ],
  ])('that %s a tip is refused from its start on, and taken a millisecond before', async (_, given) => {
    const sealedAt = (moment: string) => sealEntry({ ...given, at: moment }, genesisHead);
    await expect(sealedAt('2026-03-10T15:00:00.000Z')).rejects.toThrow('not before its start');
    await expect(sealedAt('2026-03-10T15:00:00.001Z')).rejects.toThrow('not before its start');
    await expect(sealedAt('2026-03-10T14:59:59.999Z')).resolves.toMatchObject({ at: '2026-03-10T14:59:59.999Z' });
  });

  it('must be dated before the first start when it publishes or commits a tip', async () => {
    const { entries } = await makeLedger(await importSigner(rfcJwk), { tips: 20, checkpointEvery: 100 });
    for (const entry of entries) {
      const starts =
        entry.kind === 'tip-published'
          ? entry.content.legs.map(({ startsAt }) => startsAt).sort()
          : entry.kind === 'tip-committed'
            ? [entry.content.opensAt]
            : [null];
      expect(deadlineOf(entry)).toBe(starts[0]);
    }
  });

  it.each<[string, object]>([
    ['an unknown kind', { kind: 'tip-deleted' }],
    ['an extra field', { note: 'x' }],
    ['a fraction of a stake', { content: { ...publication, stakeHundredths: 10.5 } }],
    [
      'a price below the shortest',
      {
        content: {
          ...publication,
          legs: publication.legs.map((leg) => ({ ...leg, price: { oddsThousandths: 1000, fraction: null } })),
        },
      },
    ],
    [
      'an extra field in a leg',
      { content: { ...publication, legs: publication.legs.map((leg) => ({ ...leg, note: 'x' })) } },
    ],
    ['no leg', { content: { ...publication, legs: [] } }],
    ['a fixture twice', { content: { ...publication, legs: [publication.legs[0], publication.legs[0]] } }],
    [
      'a lone surrogate',
      {
        content: {
          ...publication,
          legs: publication.legs.map((leg) => ({ ...leg, selection: { key: 'home', name: 'a\ud800' } })),
        },
      },
    ],
    [
      'a line break in a name',
      {
        content: {
          ...publication,
          legs: publication.legs.map((leg) => ({ ...leg, selection: { key: 'home', name: 'a\nb' } })),
        },
      },
    ],
    ['a time without milliseconds', { at: '2026-03-10T12:00:00Z' }],
    ['a time with an offset', { at: '2026-03-10T12:00:00.000+01:00' }],
    ['a day that does not exist', { at: '2026-02-30T12:00:00.000Z' }],
  ])('is refused with %s', async (_, change) => {
    expect(entrySchema.safeParse({ ...(await sealEntry(draft, genesisHead)), ...change }).success).toBe(false);
  });
});

describe('a commitment', () => {
  const tip = { portfolio: 'ann', tip: 'tip-1', salt: '5a'.repeat(32), publication };

  it('is the SHA-256 of the canonical JSON of the tip and its salt', async () => {
    expect(await commitmentOf(tip)).toBe(sha256(sorted(tip)));
  });

  it('is another for another salt, tip, portfolio or price', async () => {
    const others = [
      { ...tip, salt: `${'5a'.repeat(31)}5b` },
      { ...tip, tip: 'tip-2' },
      { ...tip, portfolio: 'bob' },
      { ...tip, publication: { ...publication, stakeHundredths: publication.stakeHundredths + 1 } },
    ];
    expect(new Set(await Promise.all([tip, ...others].map(commitmentOf))).size).toBe(5);
  });
});

describe('a checkpoint', () => {
  it('names its key by the thumbprint that RFC 8037, appendix A.3, gives', async () => {
    expect(await keyIdOf(rfcJwk.x)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    expect(ledgerKeySchema.safeParse((await importSigner(rfcJwk)).key).success).toBe(true);
  });

  it('bears a signature that node:crypto verifies over its canonical JSON', async () => {
    const signer = await importSigner(rfcJwk);
    const entry: LedgerEntry = await sealEntry(draft, genesisHead);
    const checkpoint = await signCheckpoint(headAfter(entry), 'cd'.repeat(32), minutesAfter(at, 1), signer);
    const { signature, ...statement } = checkpoint;
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: rfcJwk.x }, format: 'jwk' });
    expect(statement).toEqual({
      sequence: 1,
      hash: entry.hash,
      root: 'cd'.repeat(32),
      at: minutesAfter(at, 1),
      keyId: signer.keyId,
    });
    expect(verify(null, Buffer.from(sorted(statement)), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(await isSignedBy(checkpoint, signer.key)).toBe(true);
    expect(await isSignedBy({ ...checkpoint, root: 'ce'.repeat(32) }, signer.key)).toBe(false);
  });

  it('is not dated before the entries that it signs', async () => {
    const entry = await sealEntry(draft, genesisHead);
    const checkpoint = await signCheckpoint(
      headAfter(entry),
      'cd'.repeat(32),
      minutesAfter(at, -1),
      await importSigner(rfcJwk),
    );
    expect(checkpoint.at).toBe(at);
  });
});
